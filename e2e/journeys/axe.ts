import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import axeCore from 'axe-core';
import { expect } from '../fixtures';
import { isScrolledUnder } from './scrolled-under';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** A theme changes only colors, so the light one is checked for everything else. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Each theme at each width; the light one at 1280 px comes last. */
const APPEARANCES = [320, 1280].flatMap((width) =>
  (['dark', 'light'] as const).map((colorScheme) => ({ colorScheme, width })),
);

/**
 * Runs in the page: waits for what a change of theme or size starts, and for what's just appearing. Longer animations go
 * on, such as a toast's and those of what's loading.
 */
async function waitForTransitions(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const short = document
    .getAnimations()
    .filter((one) => Number(one.effect?.getComputedTiming().endTime) <= 1000);
  await Promise.allSettled(short.map(({ finished }) => finished));
}

/** Repeats work in each theme at each width. */
export async function forEachAppearance(page: Page, work: () => Promise<void>): Promise<void> {
  for (const { colorScheme, width } of APPEARANCES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(waitForTransitions);
    await work();
  }
}

/** Expects that axe finds nothing on a page as it looks now, and that the page doesn't scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  // A title may follow its page.
  await expect(page).toHaveTitle(/./);
  await page.evaluate(waitForTransitions);
  const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  // Legacy mode stays in this page. The default opens a second page for frames of other origins, which Daylight doesn't
  // have, and when that closes, Chromium may drop a click that's in progress in the first.
  // What passes is not described, which saves axe most of its work on a long page.
  // The builder would send its whole source twice for each look at a page, which takes as long as the look.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source);
  const axe = new AxeBuilder({ page, axeSource: ';' })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
  const { violations } = await (dark ? axe.withRules(COLOR_RULES) : axe.withTags(TAGS)).analyze();
  const found: string[] = [];
  for (const { id, help, nodes } of violations)
    for (const { target, failureSummary } of nodes) {
      // Scrolling uncovers it.
      if (id === 'target-size' && (await page.locator(String(target)).first().evaluate(isScrolledUnder)))
        continue;
      found.push(`${id}: ${help}\n  ${target}\n  ${failureSummary}`);
    }
  const width = page.viewportSize()?.width ?? 0;
  const look = `${page.url()}, ${dark ? 'dark' : 'light'} at ${width} px`;
  expect.soft(found, look).toEqual([]);
  const reach = await page.evaluate(() => document.documentElement.scrollWidth);
  expect.soft(reach, `${look} does not scroll sideways`).toBeLessThanOrEqual(width);
}

/** Expects a page to be accessible in each theme at each width. */
export const expectAccessibleInEveryAppearance = (page: Page): Promise<void> =>
  forEachAppearance(page, () => expectAccessible(page));
