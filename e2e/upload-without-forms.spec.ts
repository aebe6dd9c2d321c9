import { expect } from '@playwright/test';
import { planDetails } from '@/lib/billing/plans/contract';
import { listEntries } from '@/lib/journal/entries/contract';
import { h264Mp4 } from '@/test/media/clips';
import { signUp } from './accounts';
import { recordUploadCalls, startUpload } from './journeys/upload-steps';
import { openMailbox } from './mailbox';
import { test } from './own-copy';

test.setTimeout(300_000);

test('a file of one part is put where storage takes no forms, as on Cloudflare R2', async ({ own, page }) => {
  const app = await own.start({ LOCAL_S3_POST_OBJECT: 'off' });
  const { api } = await signUp(app.url, openMailbox(app));
  const cookies = [...api.cookies].map(([name, value]) => ({ name, value, url: app.url }));
  await page.context().addCookies(cookies);
  const calls = recordUploadCalls(page, app);
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await startUpload(page, await h264Mp4(), 'Put', app.url);
  const headers = await (await sent).allHeaders();
  expect(headers['content-type']).toBe('video/mp4');
  expect(headers['content-md5']).toMatch(/^.{22}==$/);
  expect((await sent).url()).toContain(
    'X-Amz-SignedHeaders=content-length%3Bcontent-md5%3Bcontent-type%3Bhost',
  );
  await page.waitForURL('**/journals');
  expect(calls).toEqual(['GET presigned_url', 'PUT file', 'GET upload/complete']);
  expect((await api.call(listEntries)).map(({ title }) => title)).toEqual(['Put']);
  expect((await api.call(planDetails)).videoCount).toBe(1);
});
