import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeEntry } from '@/lib/journal/entries/contract';
import * as clips from '@/test/media/clips';
import { clipFolder } from '@/test/media/encode';
import { playlists, startTrapServer, textWithFtyp } from '@/test/media/malformed-clips';
import { uploadVideo, waitForProcessing } from '../client';
import { expect, test } from '../fixtures';
import { expectPlays, expectThumbnail } from './video-assertions';

const LYING = { width: 320, height: 180 };
const UPRIGHT = { width: 180, height: 320 };

for (const [name, clip, contentType, picture] of [
  ['H.264 in MP4', clips.h264Mp4, 'video/mp4', LYING],
  ['fragmented MP4', clips.fragmentedMp4, 'video/mp4', LYING],
  ['WebM with VP8 and no duration', clips.vp8Webm, 'video/webm', LYING],
  ['WebM with VP9 and no duration', clips.vp9Webm, 'video/webm', LYING],
  ['Matroska', clips.h264Matroska, 'video/x-matroska', LYING],
  ['Matroska named MP4', clips.matroskaNamedMp4, 'video/mp4', LYING],
  ['QuickTime with PCM sound', clips.h264Mov, 'video/quicktime', LYING],
  ['HEVC', clips.hevcMp4, 'video/mp4', LYING],
  ['a phone held upright', clips.rotatedMp4, 'video/mp4', UPRIGHT],
  ['a phone held upright, in HEVC', clips.rotatedHevc, 'video/mp4', UPRIGHT],
  ['10-bit H.264', clips.tenBitMp4, 'video/mp4', LYING],
  ['no sound', clips.noAudioMp4, 'video/mp4', LYING],
  ['60 % of a WebM', clips.truncatedWebm, 'video/webm', LYING],
  ['60 % of a fragmented MP4', clips.truncatedFragments, 'video/mp4', LYING],
  ['60 % of an MP4 with its index in front', clips.truncatedMp4, 'video/mp4', LYING],
] as const) {
  test(`${name} can be watched`, async ({ page, upload }) => {
    const entry = await upload(await clip(), { title: name, contentType });
    expect([entry.status, entry.videoStatus, entry.videoError]).toEqual(['completed', 'ready', null]);
    await page.goto('/journals');
    await expectThumbnail(page, name);
    await page.goto(`/entry/${entry.id}`);
    const video = page.locator('video');
    await expectPlays(video);
    const shown = await video.evaluate((element: HTMLVideoElement) => ({
      width: element.videoWidth,
      height: element.videoHeight,
      duration: element.duration,
      ready: element.readyState,
    }));
    expect(shown).toMatchObject(picture);
    expect(shown.ready).toBeGreaterThanOrEqual(2);
    expect(shown.duration).toBeGreaterThan(name.startsWith('60 %') ? 1 : 3.5);
    expect(shown.duration).toBeLessThan(5);
  });
}

test('a playlist dressed as MP4 fails with a sentence and reads nothing', async ({ page, api }) => {
  const trap = await startTrapServer();
  try {
    const ids: string[] = [];
    for (const [kind, text] of Object.entries(playlists(await clips.h264Mp4(), trap))) {
      const path = join(clipFolder(), `${kind}.mp4`);
      await writeFile(path, text);
      ids.push(await uploadVideo(api, path, { title: kind }));
    }
    expect(ids).toHaveLength(7);
    for (const id of ids) {
      const entry = await waitForProcessing(api, id);
      expect([entry.title, entry.status, entry.videoStatus]).toEqual([entry.title, 'failed', 'failed']);
      expect(entry.videoError, entry.title).toMatch(/^[A-Z][^\n]{15,}\.$/);
      expect([entry.videoUrl, entry.thumbnail]).toEqual(['', '']);
      if (id === ids[0]) {
        await page.goto(`/entry/${id}`);
        await expect(page.getByText(entry.videoError ?? 'no sentence')).toBeVisible();
      }
      await api.call(removeEntry, { params: { id } });
    }
    expect(trap.hits()).toBe(0);
  } finally {
    trap.close();
  }
});

for (const [name, clip] of [
  ['text with the first bytes of a video', textWithFtyp],
  ['sound without a picture', clips.noVideoMp4],
] as const) {
  test(`${name} fails with a sentence`, async ({ upload }) => {
    const entry = await upload(await clip());
    expect([entry.status, entry.videoStatus]).toEqual(['failed', 'failed']);
    expect(entry.videoError).toMatch(/^[A-Z][^\n]{15,}\.$/);
  });
}
