import { join } from 'node:path';
import { login } from '@/lib/account/registration/contract';
import { getEntry } from '@/lib/journal/entries/contract';
import { h264Mp4 } from '@/test/media/clips';
import { readOtlpFile } from '@/test/otlp-sink';
import { expect, test } from './fixtures';

test('an upload is one trace, from its request to ffmpeg', async ({ app, upload, page, api }) => {
  const { id } = await upload(await h264Mp4());
  await page.goto(`/entry/${id}`);
  await api.call(getEntry, { params: { id } });

  const { spans } = readOtlpFile(join(app.dataDir, 'exports.jsonl'));
  const trace = id.replaceAll('-', '');
  const traced = () =>
    spans(trace)
      .filter(({ traceId }) => traceId === trace)
      .map(({ name }) => name);
  await expect
    .poll(traced, { timeout: 30_000 })
    .toEqual(
      expect.arrayContaining([
        'upload',
        'GET /api/v1/entry/[id]/upload/complete',
        'authorize',
        'update entries',
        'outbox send',
        'process-video video',
        'ffmpeg',
        'ffprobe',
        'S3 PutObject',
        'finish-video storyboard',
      ]),
    );
  // Next says which route answered; without it, every request would be one route.
  for (const route of ['/entry/[id]/[[...title]]', '/api/v1/entry/[id]']) {
    const isTraced = () => spans(`"${route}"`).some(({ attributes }) => attributes['http.route'] === route);
    await expect.poll(isTraced, { timeout: 30_000 }).toBe(true);
  }
});

test('only people who are signed in learn how long their requests took', async ({
  api,
  anonymous,
  account,
}) => {
  const timing = async (response: Promise<Response>) => (await response).headers.get('server-timing');
  expect(await timing(api.send('GET', '/api/v1/plan/allowed'))).toMatch(/^total;dur=[\d.]+, .*db;dur=/);
  expect(await timing(api.send('GET', '/journals'))).toMatch(/^total;dur=/);
  const { email } = account;
  for (const password of [account.password, 'a wrong password'])
    expect(await timing(anonymous.sendOperation(login, { body: { email, password } }))).toBeNull();
  expect(await timing(anonymous.send('GET', '/login'))).toBeNull();
});
