import type { Locator } from '@playwright/test';
import { expect, test } from '../fixtures';
import { button, clip, openPlayer, SECONDS, stateOf, timeOf } from './player-steps';
import { expectAdvances, listenForSeek } from './video-assertions';

test('a video is taken up where it was left, unless the address says otherwise', async ({ page, upload }) => {
  const { id } = await upload(await clip());
  const notice = page.getByText('Resumed at');
  const leaveAt = async (video: Locator, seconds: number) => {
    await video.evaluate((element: HTMLVideoElement, to) => {
      element.currentTime = to;
    }, seconds);
    await expect.poll(() => timeOf(video)).toBeCloseTo(seconds, 1);
  };
  let video = await openPlayer(page, `/entry/${id}`);
  await expect(notice).toHaveCount(0);
  await leaveAt(video, 12.5);

  video = await openPlayer(page, `/entry/${id}`);
  await expect(notice).toHaveText('Resumed at 0:12');
  await expect.poll(() => timeOf(video)).toBeCloseTo(12.5, 1);
  await button(page, 'Start over').click();
  await expect.poll(() => timeOf(video)).toBe(0);
  await expect(notice).toHaveCount(0);
  await leaveAt(video, 20);

  video = await openPlayer(page, `/entry/${id}?t=3`);
  await expect.poll(() => timeOf(video)).toBeCloseTo(3, 1);
  await expect(notice).toHaveCount(0);

  // Three seconds in, and two before the end, there is nothing to take up.
  for (const seconds of [null, SECONDS - 2]) {
    if (seconds !== null) await leaveAt(video, seconds);
    video = await openPlayer(page, `/entry/${id}`);
    await expect(button(page, 'Play')).toBeVisible();
    await expect.poll(() => timeOf(video)).toBe(0);
    await expect(notice).toHaveCount(0);
  }
});

test('a hit opens within half a second of the spoken word', async ({ page, upload, sql }) => {
  const { id } = await upload(await clip(), { title: 'At the coast', wait: 'transcript' });
  const words = 'we walked to the old lighthouse and back again'.split(' ');
  const spoken = words.map((word, index) => [word, index * 3 + 0.4, index * 3 + 0.9]);
  await sql`insert into transcripts (entry_id, revision, words) values (${id}, 0, ${JSON.stringify(spoken)}::text::jsonb)`;
  await sql`update entries set transcript_status = 'completed' where id = ${id}`;
  const near = (time: number, index: number) =>
    expect(Math.abs(time - (index * 3 + 0.4)), words[index]).toBeLessThanOrEqual(0.5);

  await page.goto('/search?query=lighthouse');
  await page.getByRole('link', { name: 'Play from 0:15' }).click();
  await page.waitForURL(/\?t=/);
  const video = page.locator('video');
  await expect.poll(async () => (await stateOf(video)).readyState).toBeGreaterThanOrEqual(2);
  near(await timeOf(video), 5);
  await expect(page.locator('span.now')).toHaveText('lighthouse');

  for (const index of [8, 1, 6]) {
    const arrived = await listenForSeek(video);
    await page
      .getByRole('group', { name: 'Transcript words' })
      .getByText(words[index] ?? '')
      .click();
    near(await arrived(), index);
    await expect.poll(() => stateOf(video)).toMatchObject({ paused: false });
  }
  await expectAdvances(video);
});

test('a video that fails goes on at the same second', async ({ page, upload, watch }) => {
  watch.allowConsole(/status of 404/);
  const { id } = await upload(await clip());
  const video = await openPlayer(page, `/entry/${id}?t=12`);
  await expect(button(page, 'Play')).toBeVisible();
  await expect.poll(() => timeOf(video)).toBeCloseTo(12, 1);
  const fail = () => video.evaluate((element) => element.dispatchEvent(new Event('error')));

  await test.step('by itself, with a new address', async () => {
    await button(page, 'Play').click();
    await expectAdvances(video);
    const from = await timeOf(video);
    const renewed = page.waitForResponse((response) => response.url().endsWith(`/api/v1/entry/${id}`));
    await fail();
    await renewed;
    await expectAdvances(video);
    expect(await timeOf(video)).toBeGreaterThanOrEqual(from);
    expect(await timeOf(video)).toBeLessThan(from + 10);
  });

  await test.step('and can be paused as soon as it does', async () => {
    // The controls hide while it plays, and take no press then: a key does.
    await page.keyboard.press('k');
    await expect.poll(async () => (await stateOf(video)).paused).toBe(true);
    const arrived = await listenForSeek(video);
    await video.evaluate((element: HTMLVideoElement) => {
      element.currentTime = 5;
    });
    await arrived();
    await expect(button(page, 'Play')).toBeVisible();
    expect(await stateOf(video)).toMatchObject({ time: 5, paused: true });
  });

  await test.step('or when it is asked to', async () => {
    await openPlayer(page, `/entry/${id}?t=5`);
    await expect(button(page, 'Play')).toBeVisible();
    await expect.poll(() => timeOf(video)).toBeCloseTo(5, 1);
    await page.route('**/video?v=*', (route) => route.fulfill({ status: 404, body: '' }));
    await fail();
    const notice = page.getByRole('alert').filter({ hasText: 'We couldn’t load this video.' });
    await expect(notice).toBeVisible();
    await page.unroute('**/video?v=*');
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => (await stateOf(video)).readyState).toBeGreaterThanOrEqual(2);
    expect(Math.abs((await timeOf(video)) - 5)).toBeLessThan(0.5);
    await expect(notice).toHaveCount(0);
  });
});

test('a first copy plays on while the final video takes its place', async ({ page, upload, sql }) => {
  const { id } = await upload(await clip(), { wait: 'transcript' });
  await sql`update entries set transcript_status = 'processing' where id = ${id}`;
  const video = await openPlayer(page, `/entry/${id}`);
  await button(page, 'Play').click();
  await expectAdvances(video);
  const before = await video.evaluate((element: HTMLVideoElement) => {
    const seen = { address: element.currentSrc, emptied: 0, paused: 0 };
    element.addEventListener('emptied', () => (seen.emptied += 1));
    element.addEventListener('pause', () => (seen.paused += 1));
    return Object.assign(element, { seen }).seen;
  });
  // Another object behind the address, and news for the page to take up.
  await sql`update entries set video_key = replace(video_key, 'video.mp4', 'remux.mp4'),
    transcript_status = 'failed', transcript_error = 'Nobody listened.' where id = ${id}`;
  await expect(page.getByText('Nobody listened.')).toBeVisible();
  await expectAdvances(video);
  expect(await video.evaluate((element) => Reflect.get(element, 'seen'))).toEqual(before);
  expect(await video.evaluate((element: HTMLVideoElement) => element.currentSrc)).toBe(before.address);
});
