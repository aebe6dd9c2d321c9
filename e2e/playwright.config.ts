import { defineConfig } from '@playwright/test';
import { BROWSER_ARGUMENTS, findHeadlessShell } from '@/test/chromium';

const executablePath = findHeadlessShell();

/** Tests in which a browser encodes video, and hears speech, all the time. They need a core to keep up. */
const RECORDERS =
  /journeys\/(live-words(-offline)?|offline(-sending)?|record-flow|studio(-[a-z-]+)?|translated|try-it|upload-live)\.spec\.ts$/;

/** Journeys that run once more on pages that are translated, as Chrome does. */
const TRANSLATED = /journeys\/(account|gallery|search|selection|settings-tags)\.spec\.ts$/;

export default defineConfig<{ translated: boolean }>({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './global-setup.ts',
  // A folder of its own: it's emptied first.
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A retry keeps one flaky test from holding up a change, and records a trace. The summary of the run names every test
  // that needed it.
  retries: 1,
  // Most tests wait for a page, a job or a lock, so one worker a core would leave cores idle. Recorders take turns: beside
  // each other, they'd be late. They start first, so that none is left when the others have finished.
  workers: '150%',
  projects: [
    { name: 'recorders', testMatch: RECORDERS, workers: 1 },
    { name: 'others', testIgnore: RECORDERS },
    { name: 'translated', testMatch: TRANSLATED, use: { translated: true } },
  ],
  // Ends a test that hangs. It says nothing about speed: the machine that runs the browser encodes video too, and may be
  // a third as fast as another.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    timezoneId: 'UTC',
    // Recording a trace of every test slows each page down for the few that fail. DOM snapshots show enough: pictures
    // taken all the time would slow every page that encodes video.
    trace: { mode: 'on-first-retry', screenshots: false },
    screenshot: 'only-on-failure',
    permissions: ['camera', 'microphone'],
    // What a service worker answers, tests can't see or change. The tests of what's offline allow it.
    serviceWorkers: 'block',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: BROWSER_ARGUMENTS,
    },
  },
});
