import { findOnPath } from '@/lib/media/executables';

/** CHROMIUM_PATH, else the system's Chromium; undefined leaves the choice to Playwright's own download. */
export function findChromium(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return process.env.CHROMIUM_PATH || names.map(findOnPath).find((path) => path !== null) || undefined;
}
