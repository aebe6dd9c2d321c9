import { expect } from '../fixtures';
import { OFFLINE_ERRORS, prepareOffline } from './offline-steps';
import { startRecording, stopRecording, wordsOf } from './recording-steps';
import { test } from './spoken-microphone';

test.use({ serviceWorkers: 'allow' });

test('words show as somebody speaks if this device has the engine', async ({ page, context, watch }) => {
  watch.allowConsole(OFFLINE_ERRORS);
  const { wanted, ready, captions } = wordsOf(page);
  await prepareOffline(page);
  await page.goto('/upload');
  await wanted.check();
  await expect(ready).toBeVisible({ timeout: 60_000 });
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText('You’re offline.')).toBeVisible();
  await expect(ready).toBeVisible({ timeout: 60_000 });
  await startRecording(page);
  await expect(captions).toContainText('leisure', { timeout: 60_000 });
  await stopRecording(page);
  await expect(page.getByLabel('Title')).not.toHaveValue('');
});
