import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures';
import { expectAccessible } from './axe';
import { boxOf, insertLongTranscript, openOnPhone, openPhone, scrollOf, scrollTo } from './phone-steps';
import { button, clip, controls, seekBar, stateOf, timeOf } from './player-steps';
import { expectAdvances } from './video-assertions';

const smallPlayer = (page: Page) => page.getByRole('group', { name: 'Small player' });
const words = (page: Page) => page.getByRole('group', { name: 'Transcript words' });

test('on a phone, our own controls are below the picture, sized for fingers', async ({
  account,
  app,
  browser,
  signIn,
  upload,
  sql,
  watch,
}) => {
  const { id } = await upload(await clip(), { wait: 'transcript' });
  await insertLongTranscript(sql, id);
  const { page, context } = await openPhone({ account, app, browser, signIn, watch });
  const video = await openOnPhone(page, `/entry/${id}?t=12`);
  await expect.poll(() => timeOf(video)).toBeCloseTo(12, 1);

  await test.step('edge to edge, then the title, the tags, the words, and the notes', async () => {
    await expect(video).not.toHaveAttribute('controls');
    expect(await boxOf(video)).toMatchObject({ x: 0, width: 390 });
    const tops = await Promise.all(
      [
        video,
        controls(page),
        page.getByRole('textbox', { name: 'Title' }),
        page.getByRole('region', { name: 'Tags' }),
        words(page),
        page.getByRole('textbox', { name: 'Additional notes' }),
      ].map(async (part) => (await boxOf(part)).y),
    );
    expect(tops).toEqual([...tops].sort((one, other) => one - other));
    const { overflowY, fontSize } = await words(page).evaluate((panel) => ({
      overflowY: getComputedStyle(panel).overflowY,
      fontSize: getComputedStyle(panel.querySelector('p') as Element).fontSize,
    }));
    expect([overflowY, fontSize]).toEqual(['visible', '19px']);
  });

  await test.step('each control is big enough for a finger', async () => {
    for (const name of ['Back 10 seconds', 'Forward 10 seconds', 'Captions']) {
      const { width, height } = await boxOf(button(page, name));
      expect(Math.min(width, height), name).toBeGreaterThanOrEqual(52);
    }
    const { width, height } = await boxOf(button(page, 'Play'));
    expect([width, height]).toEqual([64, 64]);
    expect((await boxOf(page.getByLabel('Speed'))).height).toBeGreaterThanOrEqual(52);
    expect((await boxOf(seekBar(page))).height).toBeGreaterThanOrEqual(44);
  });

  await test.step('taps skip, seek, play, and show the rest', async () => {
    await button(page, 'Back 10 seconds').tap();
    await expect.poll(() => timeOf(video)).toBeCloseTo(2, 1);
    const bar = await boxOf(seekBar(page));
    await page.touchscreen.tap(bar.x + bar.width / 2, bar.y + bar.height / 2);
    await expect.poll(() => timeOf(video)).toBeCloseTo(15, 0);
    await video.tap({ position: { x: 60, y: 120 } });
    await expectAdvances(video);
    const opacity = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((part) => Number(getComputedStyle(part).opacity));
    await expect.poll(() => opacity('.player-corner')).toBe(0);
    expect(await opacity('.player-controls')).toBe(1);
    await video.tap({ position: { x: 60, y: 120 } });
    await expect.poll(() => opacity('.player-corner')).toBe(1);
    await expect.poll(() => stateOf(video)).toMatchObject({ paused: true });
    await button(page, 'More controls').tap();
    await button(page, 'Mute').tap();
    expect(await stateOf(video)).toMatchObject({ muted: true });
    await page.keyboard.press('Escape');
    await button(page, 'Full screen').tap();
    await expect(button(page, 'Exit full screen')).toBeVisible();
    await button(page, 'Exit full screen').tap();
    await expect(button(page, 'Full screen')).toBeVisible();
  });
  await context.close();
});

test('past the player, the same video plays on in a small one that stays', async ({
  account,
  app,
  browser,
  signIn,
  upload,
  sql,
  watch,
}) => {
  const { id } = await upload(await clip(), { title: 'The morning I called Dad', wait: 'transcript' });
  await insertLongTranscript(sql, id);
  const { page, context } = await openPhone({ account, app, browser, signIn, watch });
  const video = await openOnPhone(page, `/entry/${id}`);
  await video.evaluate((element) => element.setAttribute('data-same', ''));
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift' });
  });
  await button(page, 'Play').tap();
  await expectAdvances(video);
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const before = await height();
  await expect(smallPlayer(page)).toBeHidden();
  await scrollTo(page, 520);
  await expect(smallPlayer(page)).toBeVisible();
  expect(await height()).toBe(before);
  expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toEqual([]);

  await expect(page.locator('video')).toHaveCount(1);
  await expect(video).toHaveAttribute('data-same', '');
  await expectAdvances(video);
  await expect.poll(async () => (await boxOf(video)).width).toBe(108);
  expect((await boxOf(smallPlayer(page))).height).toBe(80);
  await expect(smallPlayer(page)).toContainText('The morning I called Dad');
  await expect(smallPlayer(page)).toContainText(/0:\d\d of 0:30/);
  await expect(controls(page)).toBeHidden();

  await smallPlayer(page).getByRole('button', { name: 'Pause' }).tap();
  await expect.poll(() => stateOf(video)).toMatchObject({ paused: true });
  await video.evaluate((element: HTMLVideoElement) => {
    element.currentTime = 20;
  });
  await smallPlayer(page).getByRole('button', { name: 'Back 10 seconds' }).tap();
  await expect.poll(() => timeOf(video)).toBeCloseTo(10, 1);
  await expectAccessible(page);

  await test.step('what gets the focus isn’t behind it', async () => {
    await page.getByRole('button', { name: 'Post Note' }).focus();
    for (let count = 0; count < 12; count += 1) {
      await page.keyboard.press('Shift+Tab');
      const { top, inPlayer } = await page.evaluate(() => {
        const active = document.activeElement;
        const own = active?.closest('.player, header, [aria-label="Transcript words"]');
        return { top: active?.getBoundingClientRect().top ?? 0, inPlayer: own !== null };
      });
      if (!inPlayer) expect(top).toBeGreaterThanOrEqual(64 + 80);
    }
  });

  await test.step('the focus stays on the play button as it grows again', async () => {
    await scrollTo(page, 520);
    await smallPlayer(page).getByRole('button', { name: 'Play' }).focus();
    await scrollTo(page, 0);
    await expect(smallPlayer(page)).toBeHidden();
    await expect(controls(page).getByRole('button', { name: 'Play' })).toBeFocused();
  });

  await test.step('with reduced motion, the page stays where it’s scrolled to as it grows again', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await scrollTo(page, 520);
    await expect(smallPlayer(page)).toBeVisible();
    await scrollTo(page, 40);
    await expect(smallPlayer(page)).toBeHidden();
    await expect.poll(async () => (await boxOf(video)).width).toBe(390);
    expect(await scrollOf(page)).toBe(40);
  });
  await context.close();
});
