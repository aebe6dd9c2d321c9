import type { Locator, Page } from '@playwright/test';
import type postgres from 'postgres';
import { getStoryboard } from '@/lib/previews/contract';
import { encode, once } from '@/test/media/encode';
import type { Client } from '../client';
import { expect, test } from '../fixtures';
import { expectAccessible, LOOKS } from './axe';
import { giveWords } from './entry-steps';
import { expectRuns, listenForSeek } from './video';

const SECONDS = 30;

/** A picture that changes, with a tone in its first six seconds. */
const clip = () =>
  once('half-a-minute.mp4', (path) =>
    encode(
      [
        ...['-f', 'lavfi', '-t', String(SECONDS), '-i', 'testsrc2=size=320x180:rate=15'],
        ...['-f', 'lavfi', '-t', String(SECONDS), '-i', 'aevalsrc=0.3*sin(2764*t)*lt(t\\,6):s=16000'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '30', '-c:a', 'aac'],
      ],
      path,
    ),
  );

const bar = (page: Page) => page.getByRole('slider', { name: 'Time' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const controls = (page: Page) => page.getByRole('group', { name: 'Player' });

const stateOf = (video: Locator) =>
  video.evaluate(({ currentTime, paused, muted, volume, playbackRate, readyState }: HTMLVideoElement) => ({
    ...{ time: currentTime, paused, muted, volume, speed: playbackRate, readyState },
  }));
const timeOf = async (video: Locator) => (await stateOf(video)).time;

/** Opens an entry, and waits until its video has a length to seek in. */
async function open(page: Page, address: string): Promise<Locator> {
  await page.goto(address);
  const video = page.locator('video');
  await expect.poll(async () => (await stateOf(video)).readyState).toBeGreaterThan(0);
  return video;
}

/** Waits for what is made after a video can be watched. */
async function previewed(api: Client, sql: postgres.Sql, id: string): Promise<void> {
  await expect.poll(async () => (await api.ask(getStoryboard, { params: { id } })).status).toBe(307);
  const waveforms = () => sql`select 1 from previews where entry_id = ${id} and waveform is not null`;
  await expect.poll(async () => (await waveforms()).length).toBe(1);
}

/** The place of a share of the time bar's width. */
async function placeOn(page: Page, share: number): Promise<{ x: number; y: number }> {
  const box = await bar(page).boundingBox();
  if (!box) throw new Error('There is no time bar.');
  return { x: box.x + box.width * share, y: box.y + box.height / 2 };
}

test('the player is steered by the mouse', async ({ page, api, upload, sql }) => {
  const { id } = await upload(await clip());
  await previewed(api, sql, id);
  const video = await open(page, `/entry/${id}`);
  const at = (share: number) => placeOn(page, share);

  await test.step('its bar shows a picture of the place that is pointed at', async () => {
    const { x, y } = await at(0.5);
    await page.mouse.move(x, y);
    const picture = page.locator('.player-picture');
    await expect(picture).toBeVisible();
    await expect(page.locator('.player-preview')).toHaveText('0:15');
    const look = () =>
      picture.evaluate((element) => {
        const { backgroundImage, backgroundPosition } = getComputedStyle(element);
        const url = backgroundImage.slice(5, -2);
        const image = Object.assign(new Image(), { src: url });
        return image.decode().then(() => [image.naturalWidth, image.naturalHeight, backgroundPosition]);
      });
    // Key frames every two seconds: 15 pictures in rows of ten, the eighth of which stands for 14 to 16 s.
    await expect.poll(look).toEqual([1600, 180, '-1120px 0px']);
    await page.mouse.move((await at(0.91)).x, y);
    await expect(page.locator('.player-preview')).toHaveText('0:27');
    await expect.poll(async () => (await look())[2]).toBe('-480px -90px');
  });

  await test.step('its bar draws the sound, and its silence', async () => {
    const path = (await page.locator('.player-waveform path').first().getAttribute('d')) ?? '';
    const heights = [...path.matchAll(/L(\d+\.5) (\d+)/g)].map(([, , y]) => 100 - Number(y));
    expect(Math.min(...heights.slice(2, 46))).toBeGreaterThan(60);
    expect(Math.max(...heights.slice(52))).toBeLessThan(5);
  });

  await test.step('a press goes there, dragging goes along and rests meanwhile', async () => {
    const { x, y } = await at(0.5);
    await page.mouse.click(x, y);
    await expect.poll(() => timeOf(video)).toBeCloseTo(15, 0);
    await button(page, 'Play').click();
    await expectRuns(video);
    await page.mouse.move((await at(0.2)).x, y);
    await page.mouse.down();
    await page.mouse.move((await at(0.4)).x, y, { steps: 4 });
    await page.mouse.move((await at(0.6)).x, y, { steps: 4 });
    await expect.poll(() => timeOf(video)).toBeCloseTo(18, 0);
    expect(await stateOf(video)).toMatchObject({ paused: true });
    await page.mouse.up();
    await expect.poll(() => stateOf(video)).toMatchObject({ paused: false });
    await expectRuns(video);
    await button(page, 'Pause').click();
    await expect(button(page, 'Play')).toBeVisible();
  });

  await test.step('its buttons do what they say', async () => {
    await page.mouse.click((await at(0.5)).x, (await at(0.5)).y);
    await expect.poll(() => timeOf(video)).toBeCloseTo(15, 0);
    const from = await timeOf(video);
    await button(page, 'Back 10 seconds').click();
    await expect.poll(() => timeOf(video)).toBeCloseTo(from - 10, 1);
    await button(page, 'Forward 10 seconds').click();
    await expect.poll(() => timeOf(video)).toBeCloseTo(from, 1);
    await button(page, 'Sound off').click();
    expect(await stateOf(video)).toMatchObject({ muted: true });
    await button(page, 'Sound on').click();
    await page.getByRole('slider', { name: 'Volume' }).fill('0.3');
    await expect.poll(() => stateOf(video)).toMatchObject({ muted: false, volume: 0.3 });
    await page.getByLabel('Speed').selectOption('1.5');
    expect(await stateOf(video)).toMatchObject({ speed: 1.5 });
    await button(page, 'More controls').click();
    const frame = await timeOf(video);
    await button(page, 'One frame forward').click();
    await button(page, 'One frame forward').click();
    await expect.poll(() => timeOf(video)).toBeCloseTo(frame + 2 / 30, 2);
    await page.keyboard.press('Escape');
    await expect(button(page, 'One frame forward')).toBeHidden();
    await expect(button(page, 'More controls')).toBeFocused();
  });

  await test.step('a press on the picture plays, and the controls make room for it', async () => {
    const opacity = () => controls(page).evaluate((element) => Number(getComputedStyle(element).opacity));
    await video.click({ position: { x: 200, y: 80 } });
    await expectRuns(video);
    await page.mouse.move(4, 300);
    await expect.poll(opacity).toBe(0);
    await video.hover({ position: { x: 220, y: 90 } });
    await expect.poll(opacity).toBe(1);
    await expect.poll(opacity, { message: 'without a movement' }).toBe(0);
    await bar(page).focus();
    await page.keyboard.press('Tab');
    await expect.poll(opacity, { message: 'while the keyboard is in them' }).toBe(1);
    await page.mouse.move(4, 300);
    await video.click({ position: { x: 200, y: 80 } });
    await expect.poll(() => stateOf(video)).toMatchObject({ paused: true });
    await expect.poll(opacity).toBe(1);
  });

  await test.step('it fills the screen with its controls', async () => {
    await button(page, 'Full screen').click();
    await expect(button(page, 'Leave full screen')).toBeVisible();
    const inside = () =>
      page.evaluate(() => document.fullscreenElement?.querySelector('[role=slider]') !== null);
    expect(await inside()).toBe(true);
    await button(page, 'Leave full screen').click();
    await expect(button(page, 'Full screen')).toBeVisible();
    await video.dblclick({ position: { x: 200, y: 80 } });
    await expect(button(page, 'Leave full screen')).toBeVisible();
    await page.keyboard.press('f');
    await expect(button(page, 'Full screen')).toBeVisible();
  });
});

test('the player is steered by the keyboard alone', async ({ page, upload, sql }) => {
  const { id } = await upload(await clip());
  await giveWords(sql, id);
  const video = await open(page, `/entry/${id}`);
  const slider = bar(page);
  await slider.focus();
  await expect(slider).toHaveAttribute('aria-valuetext', '0 seconds of 30 seconds');
  for (const [key, seconds] of [
    ['ArrowRight', 1.5],
    ['ArrowUp', 3],
    ['ArrowLeft', 1.5],
    ['PageUp', 7.5],
    ['PageDown', 1.5],
    ['End', SECONDS],
    ['Home', 0],
    ['PageUp', 6],
  ] as const) {
    await slider.press(key);
    await expect.poll(() => timeOf(video), { message: key }).toBeCloseTo(seconds, 0);
  }
  await expect(slider).toHaveAttribute('aria-valuetext', '6 seconds of 30 seconds');
  await expect(slider).toHaveAttribute('aria-valuenow', '6');

  await slider.press(' ');
  await expectRuns(video);
  await slider.press('k');
  await expect.poll(() => stateOf(video)).toMatchObject({ paused: true });
  await slider.press('m');
  expect(await stateOf(video)).toMatchObject({ muted: true });
  await slider.press('f');
  await expect(button(page, 'Leave full screen')).toBeVisible();
  await slider.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button(page, 'Full screen')).toBeVisible();

  await button(page, 'More controls').focus();
  await page.keyboard.press('Enter');
  await expect(button(page, 'One frame back')).toBeFocused();
  const from = await timeOf(video);
  await page.keyboard.press('Enter');
  await expect.poll(() => timeOf(video)).toBeCloseTo(from - 1 / 30, 2);
  await page.keyboard.press('Escape');
  await expect(button(page, 'More controls')).toBeFocused();
});

test('on touch the player keeps the browser’s own controls', async ({
  account,
  browser,
  app,
  signIn,
  upload,
  watch,
}) => {
  const { id } = await upload(await clip());
  const context = await browser.newContext({
    ...{ baseURL: app.url, hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } },
  });
  watch.observe(context);
  const page = await context.newPage();
  await signIn(page, account);
  const video = await open(page, `/entry/${id}?t=12`);
  await expect.poll(() => timeOf(video)).toBeCloseTo(12, 1);
  await expect(video).toHaveAttribute('controls');
  await expect(bar(page)).toHaveCount(0);
  await context.close();
});

test('until its script runs, the player has the browser’s own controls', async ({
  account,
  browser,
  app,
  signIn,
  upload,
}) => {
  const { id } = await upload(await clip());
  const context = await browser.newContext({ baseURL: app.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await signIn(page, account);
  await page.goto(`/entry/${id}`);
  await expect(page.locator('video')).toHaveAttribute('controls');
  await context.close();
});

test('a video is taken up where it was left, unless the address says otherwise', async ({ page, upload }) => {
  const { id } = await upload(await clip());
  const notice = page.getByText('Resumed at');
  const leaveAt = async (video: Locator, seconds: number) => {
    await video.evaluate((element: HTMLVideoElement, to) => {
      element.currentTime = to;
    }, seconds);
    await expect.poll(() => timeOf(video)).toBeCloseTo(seconds, 1);
  };
  let video = await open(page, `/entry/${id}`);
  await expect(notice).toHaveCount(0);
  await leaveAt(video, 12.5);

  video = await open(page, `/entry/${id}`);
  await expect(notice).toHaveText('Resumed at 0:12');
  await expect.poll(() => timeOf(video)).toBeCloseTo(12.5, 1);
  await button(page, 'Start over').click();
  await expect.poll(() => timeOf(video)).toBe(0);
  await expect(notice).toHaveCount(0);
  await leaveAt(video, 20);

  video = await open(page, `/entry/${id}?t=3`);
  await expect.poll(() => timeOf(video)).toBeCloseTo(3, 1);
  await expect(notice).toHaveCount(0);

  // Three seconds in, and two before the end, there is nothing to take up.
  for (const seconds of [null, SECONDS - 2]) {
    if (seconds !== null) await leaveAt(video, seconds);
    video = await open(page, `/entry/${id}`);
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
      .getByRole('group', { name: 'Words of the transcript' })
      .getByText(words[index] ?? '')
      .click();
    near(await arrived(), index);
    await expect.poll(() => stateOf(video)).toMatchObject({ paused: false });
  }
  await expectRuns(video);
});

test('a video that fails goes on at the same second', async ({ page, upload, watch }) => {
  watch.allowConsole(/status of 404/);
  const { id } = await upload(await clip());
  const video = await open(page, `/entry/${id}?t=12`);
  await expect(button(page, 'Play')).toBeVisible();
  await expect.poll(() => timeOf(video)).toBeCloseTo(12, 1);
  const fail = () => video.evaluate((element) => element.dispatchEvent(new Event('error')));

  await test.step('by itself, with a new address', async () => {
    await button(page, 'Play').click();
    await expectRuns(video);
    const from = await timeOf(video);
    const renewed = page.waitForResponse((response) => response.url().endsWith(`/api/v1/entry/${id}`));
    await fail();
    await renewed;
    await expectRuns(video);
    expect(await timeOf(video)).toBeGreaterThanOrEqual(from);
    expect(await timeOf(video)).toBeLessThan(from + 10);
  });

  await test.step('or when it is asked to', async () => {
    await open(page, `/entry/${id}?t=5`);
    await expect(button(page, 'Play')).toBeVisible();
    await expect.poll(() => timeOf(video)).toBeCloseTo(5, 1);
    await page.route('**/video?v=*', (route) => route.fulfill({ status: 404, body: '' }));
    await fail();
    const notice = page.getByRole('alert').filter({ hasText: 'The video could not be loaded.' });
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
  const video = await open(page, `/entry/${id}`);
  await button(page, 'Play').click();
  await expectRuns(video);
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
  await expectRuns(video);
  expect(await video.evaluate((element) => Reflect.get(element, 'seen'))).toEqual(before);
  expect(await video.evaluate((element: HTMLVideoElement) => element.currentSrc)).toBe(before.address);
});

test('the player is accessible with its panel open, in each of its looks', async ({ page, upload, sql }) => {
  const { id } = await upload(await clip(), { wait: 'transcript' });
  await giveWords(sql, id);
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    await open(page, `/entry/${id}`);
    await bar(page).hover();
    await expectAccessible(page, width);
    await button(page, 'More controls').click();
    await expect(button(page, 'One frame back')).toBeVisible();
    await expectAccessible(page, width);
    const small = await controls(page).evaluate((group) =>
      [...group.querySelectorAll<HTMLElement>('button, select, input, [role=slider]')]
        .filter((one) => one.checkVisibility())
        .map((one) => [one.getAttribute('aria-label') ?? one.textContent, one.getBoundingClientRect().height])
        .filter(([, height]) => Number(height) < 44),
    );
    expect(small).toEqual([]);
  }
});
