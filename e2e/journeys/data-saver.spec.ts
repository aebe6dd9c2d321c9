import type { Locator, Page } from '@playwright/test';
import { getEntry } from '@/lib/journal/entries/contract';
import { cached, encode } from '@/test/media/encode';
import type { Client } from '../client';
import { expect, test } from '../fixtures';
import { expectAccessible, forEachAppearance } from './axe';
import { insertTranscript } from './entry-steps';
import { button, openPlayer, stateOf, timeOf } from './player-steps';
import { expectAdvances } from './video-assertions';

/** 20 seconds at 6 Mbit/s, which is noise. */
const noisyClip = () =>
  cached('noisy-20-seconds.mp4', (path) =>
    encode(
      [
        ...['-f', 'lavfi', '-t', '20', '-i', 'testsrc2=size=960x540:rate=15'],
        ...['-f', 'lavfi', '-t', '20', '-i', 'sine=frequency=440:sample_rate=16000', '-c:a', 'aac'],
        ...['-vf', 'noise=alls=40:allf=t', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
        ...['-g', '30', '-b:v', '6M', '-maxrate', '6M', '-bufsize', '6M'],
      ],
      path,
    ),
  );

/** Waits until an entry has a small version. */
const waitForSmall = (api: Client, id: string) =>
  expect
    .poll(async () => (await api.call(getEntry, { params: { id } })).smallVideoUrl, { timeout: 90_000 })
    .not.toBe('');

const heightOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.videoHeight);
const [MAIN, SMALL] = [540, 480];

const dataSaver = (page: Page) => page.getByRole('checkbox', { name: 'Data saver' });

/** Opens the panel with the choice, unless it's open. */
async function openChoice(page: Page): Promise<Locator> {
  if (!(await dataSaver(page).isVisible())) await button(page, 'More controls').click();
  return dataSaver(page);
}

test('“Data saver” plays the small version from where the video is, on this device from then on', async ({
  page,
  api,
  sql,
  upload,
}) => {
  const { id } = await upload(await noisyClip());
  await waitForSmall(api, id);
  await insertTranscript(sql, id);
  const video = await openPlayer(page, `/entry/${id}?t=6`);
  expect(await heightOf(video)).toBe(MAIN);
  const isCaptioned = () =>
    video.evaluate((element: HTMLVideoElement) => element.textTracks[0]?.mode === 'showing');

  await test.step('while it plays, at the same speed and with captions', async () => {
    await page.getByLabel('Speed').selectOption('0.5');
    await button(page, 'Captions').click();
    await button(page, 'Play').click();
    await expectAdvances(video);
    const choice = await openChoice(page);
    await expect(choice).not.toBeChecked();
    await expect(choice).toHaveAccessibleDescription('Plays a smaller picture');
    const before = await timeOf(video);
    await choice.check();
    await expect.poll(() => heightOf(video)).toBe(SMALL);
    await expectAdvances(video);
    expect(Math.abs((await timeOf(video)) - before)).toBeLessThan(3);
    expect(await stateOf(video)).toMatchObject({ paused: false, speed: 0.5 });
    expect(await isCaptioned()).toBe(true);
  });

  await test.step('and goes on with it after its address has expired', async () => {
    await page.keyboard.press('Escape');
    await button(page, 'Pause').click();
    const before = await timeOf(video);
    const renewed = page.waitForResponse((response) => response.url().endsWith(`/api/v1/entry/${id}`));
    await video.evaluate((element) => element.dispatchEvent(new Event('error')));
    await renewed;
    await expect.poll(async () => (await stateOf(video)).readyState).toBeGreaterThanOrEqual(2);
    expect(await heightOf(video)).toBe(SMALL);
    expect(Math.abs((await timeOf(video)) - before)).toBeLessThan(0.5);
    expect(await stateOf(video)).toMatchObject({ paused: true, speed: 0.5 });
  });

  await test.step('when the page is opened again, until it’s turned off', async () => {
    await openPlayer(page, `/entry/${id}?t=6`);
    await expect.poll(() => heightOf(video)).toBe(SMALL);
    await expect.poll(() => timeOf(video)).toBeCloseTo(6, 0);
    await (await openChoice(page)).uncheck();
    await expect.poll(() => heightOf(video)).toBe(MAIN);
    await expect.poll(() => timeOf(video)).toBeCloseTo(6, 0);
    expect(await stateOf(video)).toMatchObject({ paused: true });
  });
});

test('a metered connection starts with the small version, and leaves the choice', async ({
  page,
  api,
  upload,
}) => {
  const { id } = await upload(await noisyClip());
  await waitForSmall(api, id);
  await page.addInitScript(() => {
    const connection = { saveData: true, effectiveType: '4g', downlink: 10 };
    Object.defineProperty(Navigator.prototype, 'connection', { get: () => connection });
  });
  const video = await openPlayer(page, `/entry/${id}`);
  await expect.poll(() => heightOf(video)).toBe(SMALL);
  const choice = await openChoice(page);
  await expect(choice).toBeChecked();
  await expect(choice).toHaveAccessibleDescription('On because of your connection');
  await forEachAppearance(page, async () => {
    await openChoice(page);
    await expectAccessible(page);
  });
  await (await openChoice(page)).uncheck();
  await expect.poll(() => heightOf(video)).toBe(MAIN);
});

test('a video that doesn’t load gives way to the small version', async ({ page, api, upload }) => {
  const { id } = await upload(await noisyClip());
  await waitForSmall(api, id);
  // It never answers.
  await page.route('**/video?v=*', () => new Promise(() => {}));
  await page.goto(`/entry/${id}`);
  const video = page.locator('video');
  await button(page, 'Play').click();
  await expect.poll(() => heightOf(video), { timeout: 20_000 }).toBe(SMALL);
  await expectAdvances(video);
  await expect(await openChoice(page)).toBeChecked();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
