import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from '../fixtures';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Every theme at every width that pages are held to. */
export const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 320].map((width) => ({ colorScheme, width })),
);

/** Expects that axe finds nothing on a page, and that it does not scroll sideways. */
export async function expectAccessible(page: Page, width: number): Promise<void> {
  // Legacy mode stays in this page. The other one opens a second page, and when that closes, Chromium may drop a
  // press that is under way in the first. It is meant for frames of other origins, and there are none.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(TAGS).analyze();
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target}\n  ${failureSummary}`),
  );
  expect.soft(found, page.url()).toEqual([]);
  const reach = await page.evaluate(() => document.documentElement.scrollWidth);
  expect.soft(reach, `${page.url()} does not scroll sideways`).toBeLessThanOrEqual(width);
}
