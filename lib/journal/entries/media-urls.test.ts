import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presignDownload } from '@/lib/clients/storage';
import { uploadObject } from '@/lib/clients/storage-objects';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { entryKey } from './keys';
import { mediaAddress } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

describe('media addresses', () => {
  it('stay the same for the clock hour', async () => {
    const hour = Date.UTC(2026, 10, 20, 12);
    const at = (now: number) => presignDownload('entries/a/b/video.mp4', 'video/mp4', { now });
    const first = await at(hour);
    expect(first.sameForSeconds).toBe(3600);
    expect(await at(hour + 3_599_000)).toEqual({ url: first.url, sameForSeconds: 1 });
    expect((await at(hour + 3_600_000)).url).not.toBe(first.url);
  });

  it('keep what they serve out of shared caches, ranges and unchanged answers included', async () => {
    const user = await makeUser();
    const thumbnailKey = `entries/${user.id}/picture/thumbnail.jpg`;
    const { id } = await makeEntry(user.id, { thumbnailKey });
    const file = services.folder('picture');
    await writeFile(file, 'a picture');
    for (const [kind, key] of [
      ['video', entryKey(user.id, id, 'video.mp4')],
      ['thumbnail', thumbnailKey],
    ] as const) {
      await uploadObject(file, key, 'video/mp4');
      const { url } = await mediaAddress(user.id, id, kind);
      const whole = await fetch(url);
      const etag = whole.headers.get('etag') ?? '';
      const answers = [
        whole,
        await fetch(url, { headers: { range: 'bytes=0-1' } }),
        await fetch(url, { headers: { 'if-none-match': etag } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 206, 304]);
      for (const { headers } of answers) expect(headers.get('cache-control')).toBe('private, max-age=3600');
    }
  });

  it('are refused once altered', async () => {
    const user = await makeUser();
    const { id } = await makeEntry(user.id);
    const { url } = await mediaAddress(user.id, id, 'video');
    expect((await fetch(url)).status, 'signed, though there is no object').toBe(404);
    const altered = url.replace(
      /X-Amz-Signature=(.)/,
      (_, digit) => `X-Amz-Signature=${digit === '0' ? '1' : '0'}`,
    );
    expect((await fetch(altered)).status).toBe(403);
  });
});
