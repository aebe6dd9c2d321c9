import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { button, confirmReload, pauseCountdown, recordFor, stopRecording } from './recording-steps';

test('the studio is accessible in every state and look', async ({ page }) => {
  test.slow();
  await pauseCountdown(page);
  await page.goto('/upload');
  await button(page, 'See yourself first').waitFor();
  await expectAccessibleInEveryAppearance(page);
  await page.evaluate(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = () => {
      navigator.mediaDevices.getUserMedia = open;
      return Promise.reject(new DOMException('no', 'NotAllowedError'));
    };
  });
  await button(page, 'Start Recording').click();
  await expect(button(page, 'Record without camera')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  await button(page, 'Camera & microphone').click();
  await expect(page.getByLabel('Live preview')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  await button(page, 'Start Recording').click();
  await expect(button(page, 'Skip countdown')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  await button(page, 'Skip countdown').click();
  await recordFor(page, 1);
  await button(page, 'Mark').click();
  await button(page, 'Turn camera off').click();
  await button(page, 'Pause').click();
  await expectAccessibleInEveryAppearance(page);

  await stopRecording(page);
  await expectAccessibleInEveryAppearance(page);

  await confirmReload(page);
  await expect(button(page, 'Upload recovered recording')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
});
