import { expect, test } from '../fixtures';
import { button, pauseCountdown, startRecording, wordsOf } from './recording-steps';

declare global {
  interface Window {
    /** What recognizes speech. */
    speechWorker: Worker;
  }
}

test('a new countdown doesn’t say that a recording goes on', async ({ page }) => {
  await page.addInitScript(() => {
    window.Worker = class extends Worker {
      constructor(script: string | URL, options?: WorkerOptions) {
        super(script, options);
        window.speechWorker = this;
      }
    };
  });
  await pauseCountdown(page);
  await page.goto('/upload');
  const { wanted, busy } = wordsOf(page);
  await wanted.check();
  await page.waitForFunction(() => 'speechWorker' in window);
  await startRecording(page);
  // How busy a device is, isn't up to a test, so the worker's message is given in its place.
  await page.evaluate(() =>
    window.speechWorker.dispatchEvent(
      new MessageEvent('message', { data: { type: 'failed', problem: 'slow' } }),
    ),
  );
  await expect(busy).toBeVisible();
  await button(page, 'Stop Recording').click();
  await expect(page.getByLabel('Recorded video')).toBeVisible();
  await button(page, 'Start New Recording').click();
  await expect(button(page, 'Skip countdown')).toBeVisible();
  await expect(busy).toHaveCount(0);
});
