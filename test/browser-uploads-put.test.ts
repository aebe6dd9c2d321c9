import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeUser } from './factories';
import { statusOf } from './multipart-fixtures';
import { startLocalServices } from './services';
import { openUploadingBrowser } from './upload-browser';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  // As Cloudflare R2 and Backblaze B2.
  services = await startLocalServices({ postObject: false });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await services.end();
});

it('puts a file with exactly the headers that its address is signed for', async () => {
  const tab = openUploadingBrowser((await makeUser()).id);
  let headers: unknown;
  tab.onStorage = (send, url, request) => {
    headers = request.headers;
    return send(url, request);
  };
  const type = 'video/webm;codecs=vp9,opus';
  const { entryId, completionError } = await tab.upload(new File(['a short video'], 'day.webm', { type }));
  expect(tab.calls).toEqual(['GET presigned_url', 'PUT file', 'GET upload/complete']);
  expect(headers).toEqual({ 'content-md5': expect.stringMatching(/^.{22}==$/), 'content-type': type });
  expect([completionError, await statusOf(entryId)]).toEqual([null, 'uploaded']);
});
