import type { Operation } from '@/lib/foundation/contract/operation';
import { removeEntry } from '@/lib/journal/entries/contract';
import { getThumbnail, getVideo } from '@/lib/journal/entries/media-contract';
import { getStoryboard } from '@/lib/video/previews/contract';
import { h264Mp4 } from '@/test/media/clips';
import { type Client, createClient } from '../client';
import { expect, test } from '../fixtures';
import { expectError } from './response-assertions';

/** Where an operation sends a browser on to. */
async function address(client: Client, operation: Operation, id: string) {
  const answer = await client.sendOperation(operation, { params: { id } });
  expect(answer.status).toBe(307);
  expect(answer.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
  expect(answer.headers.get('vary')).toContain('Cookie');
  return answer.headers.get('location') ?? '';
}

/** What is behind a signed address is for one person's own browser. */
const PRIVATE = 'private, max-age=3600';

const range = (url: string, bytes: string) => fetch(url, { headers: { range: `bytes=${bytes}` } });

test('a video is served in ranges to its owner, and to nobody else', async ({
  app,
  api,
  upload,
  anonymous,
  newAccount,
}) => {
  const entry = await upload(await h264Mp4());
  const params = { id: entry.id };
  const video = await address(api, getVideo, entry.id);
  const all = [getVideo, getThumbnail, getStoryboard];
  // It is made after the video can be watched.
  await expect.poll(async () => (await api.sendOperation(getStoryboard, { params })).status).toBe(307);
  const whole = Buffer.from(await (await fetch(video)).arrayBuffer());

  await test.step('ranges, as Safari asks for them', async () => {
    const first = await range(video, '0-1');
    expect([first.status, first.headers.get('content-range')]).toEqual([206, `bytes 0-1/${whole.length}`]);
    expect(first.headers.get('content-type')).toBe('video/mp4');
    expect(first.headers.get('cache-control')).toBe(PRIVATE);
    expect(Buffer.from(await first.arrayBuffer())).toEqual(whole.subarray(0, 2));
    const last = await range(video, '-5');
    expect(last.headers.get('content-range')).toBe(
      `bytes ${whole.length - 5}-${whole.length - 1}/${whole.length}`,
    );
    expect(Buffer.from(await last.arrayBuffer())).toEqual(whole.subarray(-5));
    expect(Buffer.from(await (await range(video, '10-')).arrayBuffer())).toEqual(whole.subarray(10));
    expect((await range(video, `${whole.length}-`)).status).toBe(416);
  });

  await test.step('the same address between renders', async () => {
    const hour = () => Math.floor(Date.now() / 3_600_000);
    for (const operation of all) {
      let pair: string[];
      let began: number;
      // The address changes with the clock's hour, so a pair that spans it is taken anew.
      do {
        began = hour();
        pair = [await address(api, operation, entry.id), await address(api, operation, entry.id)];
      } while (hour() !== began);
      expect(pair[0]).toBe(pair[1]);
    }
  });

  await test.step('a thumbnail and a storyboard that are pictures', async () => {
    for (const operation of [getThumbnail, getStoryboard]) {
      const picture = await fetch(await address(api, operation, entry.id));
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(picture.headers.get('cache-control')).toBe(PRIVATE);
      const start = Buffer.from(await picture.arrayBuffer()).subarray(0, 3);
      expect(start).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    }
  });

  await test.step('refused to everybody else, and when altered', async () => {
    const other = await newAccount();
    const tampered = createClient(app.url);
    tampered.cookies.set('next-auth.session-token', `${api.cookies.get('next-auth.session-token')}x`);
    for (const operation of all) {
      await expectError(await other.api.sendOperation(operation, { params }), 'not_found');
      await expectError(await anonymous.sendOperation(operation, { params }), 'unauthenticated');
      await expectError(await tampered.sendOperation(operation, { params }), 'unauthenticated');
    }
    const signed = new URL(video);
    expect((await fetch(signed.origin + signed.pathname)).status).toBe(403);
    expect((await fetch(video.replace('/video.mp4', '/source'))).status).toBe(403);
    const later = new URL(video);
    later.searchParams.set('X-Amz-Expires', '604800');
    expect((await fetch(later)).status).toBe(403);
  });

  await test.step('gone with the entry', async () => {
    await api.call(removeEntry, { params });
    for (const operation of all) {
      await expectError(await api.sendOperation(operation, { params }), 'not_found');
    }
  });
});
