import { findOnPath } from '@/lib/video/media/executables';

/** How tests start Chromium: quiet, and with a camera that needs no person. */
export const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Two cores can't encode twenty frames a second for each of the recorders that tests run at once.
  '--use-fake-device-for-media-stream=device-count=2,fps=10',
  '--use-fake-ui-for-media-stream',
];

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
