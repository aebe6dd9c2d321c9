import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { corpusClip } from '@/test/media/corpus/clips';
import { unreadablePicture, unreadableSound } from '@/test/media/corpus/odd-clips';
import { cached, encode } from '@/test/media/encode';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { chooseFolder, recordedClip, undatedClip, writeFolder } from './clip-folder';
import { expectPlays, expectThumbnail } from './video-assertions';

for (const [name, file, contentType] of [
  ['A camcorder’s interlaced video with Dolby Digital', 'h264-interlaced_ac3.m2ts', 'video/mp2t'],
  ['An AVI with Xvid', 'xvid_ac3.avi', 'video/x-msvideo'],
  ['A phone’s HDR video', 'hevc-hlg_aac.mp4', 'video/mp4'],
] as const) {
  test(`${name} can be watched`, async ({ page, upload }) => {
    const entry = await upload(await corpusClip(file), { title: name, contentType });
    expect([entry.videoStatus, entry.videoError, entry.soundError]).toEqual(['ready', null, null]);
    await page.goto('/journals');
    await expectThumbnail(page, name);
    await page.goto(`/entry/${entry.id}`);
    const video = page.locator('video');
    await expectPlays(video);
    const size = await video.evaluate((element: HTMLVideoElement) => [
      element.videoWidth,
      element.videoHeight,
    ]);
    expect(size).toEqual([288, 192]);
  });
}

test('a video whose sound can’t be decoded plays, and says so', async ({ page, upload }) => {
  const entry = await upload(await unreadableSound(), { title: 'Without sound', wait: 'video' });
  await page.goto(`/entry/${entry.id}`);
  await expectPlays(page.locator('video'));
  const sentence = 'The sound is in a format we can’t read (AC-4). The video plays without it.';
  await expect(page.getByText(sentence)).toBeVisible();
  await expect(
    page.getByText('The sound is in a format we can’t read (AC-4), so there’s no transcript.'),
  ).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
});

const mxf = () =>
  cached('tape.mxf', (path) =>
    encode(['-f', 'lavfi', '-t', '1', '-i', 'testsrc2=size=320x180:rate=25', '-c:v', 'mpeg2video'], path),
  );

test('what can’t be played is refused by name, before a byte is sent', async ({ page }) => {
  await page.goto('/upload');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' || /presigned|uploads/.test(request.url())) sent.push(request.url());
  });
  for (const [clip, name] of [
    [mxf, 'MXF'],
    [unreadablePicture, 'H.266, VVC'],
  ] as const) {
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(await clip());
    const sentence = `This video is in a format we can’t read (${name}). Export it as MP4, and upload that.`;
    await expect(page.getByRole('alert').getByText(sentence)).toBeVisible();
  }
  expect(sent.filter((url) => url.includes('/api/v1/'))).toEqual([]);
});

test('an import leaves out Live Photos until they’re included, and what can’t be played', async ({
  page,
}, info) => {
  const folder = info.outputPath('Phone');
  await writeFolder(folder, {
    'IMG_1.HEIC': 'a picture',
    'IMG_1.MOV': await recordedClip('2019-05-04T12:00:00Z'),
    'IMG_2.HEIC': 'a picture',
    'IMG_2.MOV': await undatedClip(2),
    'dinner.mp4': await recordedClip('2019-06-07T12:00:00Z'),
  });
  await copyFile(await unreadablePicture(), join(folder, 'newest.mp4'));
  await page.goto('/upload/import');
  await chooseFolder(page, folder);
  await expect(page.getByRole('button', { name: 'Import 1 clip' })).toBeVisible();
  await page.getByText('1 can’t be read').click();
  await expect(page.getByText(/H\.266, VVC/)).toBeVisible();
  await page.getByRole('button', { name: /^Live Photos/ }).click();
  await expect(page.getByText('Left out. Part of a Live Photo.').first()).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'Include', exact: true }).click();
  // The other one has no date yet.
  await expect(page.getByRole('button', { name: 'Import 2 clips' })).toBeVisible();
});
