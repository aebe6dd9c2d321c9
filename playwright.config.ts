import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { defineConfig } from '@playwright/test';

/** CHROMIUM_PATH, else the system's Chromium; undefined leaves the choice to Playwright's own download. */
function findChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

const executablePath = findChromium();

export default defineConfig({
  testDir: './e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  outputDir: './test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A retry keeps one flaky test from holding up a change; the summary of the run names every test that needed it.
  retries: process.env.CI ? 1 : 0,
  workers: 2,
  // Video is encoded on the machine that runs the browser; this is for waiting, and no measure of speed.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    timezoneId: 'UTC',
    // Its DOM snapshots tell enough; taking pictures all the time slows every page that encodes video.
    trace: { mode: 'retain-on-failure', screenshots: false },
    permissions: ['camera', 'microphone'],
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Ten pictures a second: twenty of the several recorders that tests run at once are more than two cores encode.
        '--use-fake-device-for-media-stream=device-count=2,fps=10',
        '--use-fake-ui-for-media-stream',
      ],
    },
  },
});
