import { expect, test } from '../fixtures';
import { expectAccessible, forEachAppearance } from './axe';
import { insertTranscript } from './entry-steps';
import {
  button,
  clip,
  controls,
  openPlayer,
  pointOnSeekBar,
  SECONDS,
  seekBar,
  stateOf,
  timeOf,
  waitForPreviews,
} from './player-steps';
import { expectAdvances } from './video-assertions';

test('the player is steered by the mouse', async ({ page, api, upload, sql }) => {
  const { id } = await upload(await clip());
  await waitForPreviews(api, sql, id);
  const video = await openPlayer(page, `/entry/${id}`);
  const at = (share: number) => pointOnSeekBar(page, share);

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
    await expectAdvances(video);
    await page.mouse.move((await at(0.2)).x, y);
    await page.mouse.down();
    await page.mouse.move((await at(0.4)).x, y, { steps: 4 });
    await page.mouse.move((await at(0.6)).x, y, { steps: 4 });
    await expect.poll(() => timeOf(video)).toBeCloseTo(18, 0);
    expect(await stateOf(video)).toMatchObject({ paused: true });
    await page.mouse.up();
    await expect.poll(() => stateOf(video)).toMatchObject({ paused: false });
    await expectAdvances(video);
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
    await button(page, 'Mute').click();
    expect(await stateOf(video)).toMatchObject({ muted: true });
    await button(page, 'Unmute').click();
    await page.getByRole('slider', { name: 'Volume' }).fill('0.3');
    await expect.poll(() => stateOf(video)).toMatchObject({ muted: false, volume: 0.3 });
    await page.getByLabel('Speed').selectOption('1.5');
    expect(await stateOf(video)).toMatchObject({ speed: 1.5 });
    await button(page, 'More controls').click();
    const frame = await timeOf(video);
    await button(page, 'Next frame').click();
    await button(page, 'Next frame').click();
    await expect.poll(() => timeOf(video)).toBeCloseTo(frame + 2 / 30, 2);
    await page.keyboard.press('Escape');
    await expect(button(page, 'Next frame')).toBeHidden();
    await expect(button(page, 'More controls')).toBeFocused();
  });

  await test.step('a press on the picture plays, and the controls make room for it', async () => {
    const opacity = () => controls(page).evaluate((element) => Number(getComputedStyle(element).opacity));
    await video.click({ position: { x: 200, y: 80 } });
    await expectAdvances(video);
    await page.mouse.move(4, 300);
    await expect.poll(opacity).toBe(0);
    await video.hover({ position: { x: 220, y: 90 } });
    await expect.poll(opacity).toBe(1);
    await expect.poll(opacity, { message: 'without a movement' }).toBe(0);
    await seekBar(page).focus();
    await page.keyboard.press('Tab');
    await expect.poll(opacity, { message: 'while the keyboard is in them' }).toBe(1);
    await page.mouse.move(4, 300);
    await video.click({ position: { x: 200, y: 80 } });
    await expect.poll(() => stateOf(video)).toMatchObject({ paused: true });
    await expect.poll(opacity).toBe(1);
  });

  await test.step('it fills the screen with its controls', async () => {
    await button(page, 'Full screen').click();
    await expect(button(page, 'Exit full screen')).toBeVisible();
    const inside = () =>
      page.evaluate(() => document.fullscreenElement?.querySelector('[role=slider]') !== null);
    expect(await inside()).toBe(true);
    await button(page, 'Exit full screen').click();
    await expect(button(page, 'Full screen')).toBeVisible();
    await video.dblclick({ position: { x: 200, y: 80 } });
    await expect(button(page, 'Exit full screen')).toBeVisible();
    await page.keyboard.press('f');
    await expect(button(page, 'Full screen')).toBeVisible();
  });
});

test('the player is steered by the keyboard alone', async ({ page, upload, sql }) => {
  const { id } = await upload(await clip());
  await insertTranscript(sql, id);
  const video = await openPlayer(page, `/entry/${id}`);
  const slider = seekBar(page);
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
  await expectAdvances(video);
  await slider.press('k');
  await expect.poll(() => stateOf(video)).toMatchObject({ paused: true });
  await slider.press('m');
  expect(await stateOf(video)).toMatchObject({ muted: true });
  await slider.press('f');
  await expect(button(page, 'Exit full screen')).toBeVisible();
  await slider.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button(page, 'Full screen')).toBeVisible();

  await button(page, 'More controls').focus();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Previous frame')).toBeFocused();
  const from = await timeOf(video);
  await page.keyboard.press('Enter');
  await expect.poll(() => timeOf(video)).toBeCloseTo(from - 1 / 30, 2);
  await page.keyboard.press('Escape');
  await expect(button(page, 'More controls')).toBeFocused();
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

test('the player is accessible with its panel open, in each of its looks', async ({ page, upload, sql }) => {
  const { id } = await upload(await clip(), { wait: 'transcript' });
  await insertTranscript(sql, id);
  await forEachAppearance(page, async () => {
    await openPlayer(page, `/entry/${id}`);
    await seekBar(page).hover();
    await expectAccessible(page);
    await button(page, 'More controls').click();
    await expect(button(page, 'Previous frame')).toBeVisible();
    await expectAccessible(page);
    const small = await controls(page).evaluate((group) =>
      [...group.querySelectorAll<HTMLElement>('button, select, input, [role=slider]')]
        .filter((one) => one.checkVisibility())
        .map((one) => [one.getAttribute('aria-label') ?? one.textContent, one.getBoundingClientRect().height])
        .filter(([, height]) => Number(height) < 44),
    );
    expect(small).toEqual([]);
  });
});
