import type { Page } from '@playwright/test';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessible } from './axe';
import { insertLongTranscript, openPhone } from './phone-steps';
import { button, clip, controls, openPlayer, seekBar, stateOf, timeOf } from './player-steps';
import { expectAdvances } from './video-assertions';

const smallPlayer = (page: Page) => page.getByRole('group', { name: 'Small player' });
const words = (page: Page) => page.getByRole('group', { name: 'Transcript words' });

const boxOf = async (locator: ReturnType<Page['locator']>) => {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It isn’t on screen.');
  return box;
};

/** Scrolls as a finger would: the page can't tell, and isn't told. */
const scrollTo = (page: Page, top: number) => page.evaluate((to) => window.scrollTo(0, to), top);

const scrollOf = (page: Page) => page.evaluate(() => window.scrollY);

/** Waits until the controls are there, which hydration brings. */
async function openOnPhone(page: Page, address: string) {
  const video = await openPlayer(page, address);
  await expect(seekBar(page)).toBeVisible();
  return video;
}

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
  await context.close();
});

test('the page follows the words that are read, until it’s scrolled away from them', async ({
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
  const { page, context } = await openPhone(
    { account, app, browser, signIn, watch },
    { width: 390, height: 640 },
  );
  const video = await openOnPhone(page, `/entry/${id}`);
  const seek = (seconds: number) =>
    video.evaluate((element: HTMLVideoElement, to) => {
      element.currentTime = to;
    }, seconds);
  const jump = button(page, 'Jump to now');
  const now = page.locator('span.now');
  const nowInView = async () => {
    const { y } = await boxOf(now);
    return y > 64 + 80 && y < 640 - 76;
  };

  await test.step('not while the player is watched', async () => {
    await button(page, 'Play').tap();
    await expect(now).toBeVisible();
    await seek(26);
    await expect(now).toHaveText(/kettle|on,|and|nobody|said/);
    expect(await scrollOf(page)).toBe(0);
    await expect(jump).toHaveCount(0);
  });

  await test.step('words that are still to come are lighter', async () => {
    await seek(6);
    const color = (nth: number) =>
      words(page)
        .locator('p')
        .nth(nth)
        .evaluate((element) => getComputedStyle(element).color);
    await expect.poll(async () => (await color(0)) === (await color(5))).toBe(false);
    const within = await now.evaluate((word) => {
      const next = word.nextElementSibling;
      return next && getComputedStyle(word).color !== getComputedStyle(next).color;
    });
    expect(within).toBe(true);
  });

  await test.step('but once they’re read', async () => {
    await words(page)
      .locator('p')
      .first()
      .evaluate((element) => element.scrollIntoView());
    const from = await scrollOf(page);
    await expect.poll(nowInView).toBe(true);
    await seek(26);
    await expect.poll(async () => (await scrollOf(page)) > from && (await nowInView())).toBe(true);
    await expect(jump).toHaveCount(0);
  });

  await test.step('and again after Jump to now', async () => {
    await scrollTo(page, (await scrollOf(page)) - 400);
    await expect(jump).toBeVisible();
    await jump.tap();
    await expect(jump).toHaveCount(0);
    await expect.poll(nowInView).toBe(true);
  });
  await context.close();
});

test('a transcript is corrected under a bar with what changed', async ({
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
  await openOnPhone(page, `/entry/${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).tap();
  const area = page.getByRole('textbox', { name: 'Transcript text' });
  await expect(page.getByText('No changes')).toBeVisible();
  expect((await boxOf(area)).width).toBeGreaterThanOrEqual(370);
  const text = await area.inputValue();
  await area.fill(text.replaceAll('bread', 'cake').replace('frost', 'snow'));
  await expect(page.getByText('3 changes')).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2));
  const save = button(page, 'Save');
  await expect.poll(async () => (await boxOf(save)).y).toBeLessThan(240);
  await expectAccessible(page);
  await save.tap();
  await expect(words(page)).toContainText('the snow on the car');
  await context.close();
});

test('links lead to the entries before and after, in the journal’s order', async ({
  account,
  app,
  browser,
  signIn,
  sql,
  watch,
}) => {
  const userId = await userIdOf(sql, account.email);
  const ids: string[] = [];
  for (const [title, date] of [
    ['The oldest', '2026-01-01'],
    ['The morning', '2026-01-02'],
    ['The evening', '2026-01-02'],
  ] as const) {
    ids.push(await insertEntry(sql, userId, { title, date, videoStatus: 'failed' }));
  }
  const { page, context } = await openPhone({ account, app, browser, signIn, watch });
  await page.goto(`/entry/${ids[1]}`);
  const links = page.getByRole('navigation', { name: 'Previous and next entry' });
  await expect(links.getByRole('link', { name: 'Previous entry' })).toContainText('The oldest01/01/2026');
  await links.getByRole('link', { name: 'Next entry' }).tap();
  await expect(page.getByRole('heading', { name: 'The evening' })).toBeAttached();
  await expect(page).toHaveURL(`/entry/${ids[2]}/The%20evening`);
  await expect(links.getByRole('link')).toHaveCount(1);
  await links.getByRole('link', { name: 'Previous entry' }).tap();
  await expect(page.getByRole('heading', { name: 'The morning' })).toBeAttached();
  await context.close();
});
