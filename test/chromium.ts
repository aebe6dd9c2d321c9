import { findOnPath } from '@/lib/media/executables';

const findFirst = (names: string[]): string | undefined =>
  names.map(findOnPath).find((path) => path !== null) ?? undefined;

/** Returns CHROMIUM_PATH, else the system's Chromium, or undefined for the one that Playwright downloads. */
export const findChromium = (): string | undefined =>
  process.env.CHROMIUM_PATH ||
  findFirst(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']);

/**
 * Returns Chromium's headless shell, which Playwright's own download uses by default: the same engine without the
 * browser around the page, for about two thirds of the processor time. Falls back to `findChromium()`.
 */
export const findHeadlessShell = (): string | undefined =>
  (process.env.CHROMIUM_PATH ? undefined : findFirst(['chromium-headless-shell'])) ?? findChromium();
