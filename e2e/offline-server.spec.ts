import { expect } from '@playwright/test';
import { listEntries } from '@/lib/journal/entries/contract';
import { signUp } from './accounts';
import { prepareOffline, recordAndUpload } from './journeys/offline-steps';
import { openMailbox } from './mailbox';
import { test } from './own-copy';
import { killTree } from './process-tree';

test.setTimeout(300_000);
test.use({ serviceWorkers: 'allow' });

test('records and keeps what it records while the server is down, and sends it once it’s back', async ({
  own,
  context,
  page,
}) => {
  const before = await own.start();
  const { api } = await signUp(before.url, openMailbox(before));
  const cookies = [...api.cookies].map(([name, value]) => ({ name, value, url: before.url, httpOnly: true }));
  await context.addCookies(cookies);
  await prepareOffline(page, before.url);
  await killTree(before.child.pid ?? 0, own.dataDir);
  await page.goto(`${before.url}/upload`);
  await expect(page.getByText('You’re offline.')).toBeVisible();
  await recordAndUpload(page, 'While nobody was there');
  await page.close();

  await own.start({ PORT: new URL(before.url).port });
  const again = await context.newPage();
  await again.goto(`${before.url}/journals`);
  await expect
    .poll(async () => (await api.call(listEntries)).map(({ title }) => title))
    .toEqual(['While nobody was there']);
  await expect(again.getByRole('link', { name: 'While nobody was there' })).toBeVisible();
});
