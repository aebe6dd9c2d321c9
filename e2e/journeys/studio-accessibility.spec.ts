import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { pauseCountdown, recordFor } from './recording-steps';

test('the studio is accessible in every state and look', async ({ page }) => {
  test.slow();
  await pauseCountdown(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto('/upload');
  await button('See yourself first').waitFor();
  await expectAccessibleInEveryAppearance(page);
  await page.evaluate(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = () => {
      navigator.mediaDevices.getUserMedia = open;
      return Promise.reject(new DOMException('no', 'NotAllowedError'));
    };
  });
  await button('Start Recording').click();
  await expect(page.getByText(/camera and microphone are blocked/)).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  await button('Camera & microphone').click();
  await expect(page.getByLabel('Live preview')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  await button('Start Recording').click();
  await expect(button('Skip countdown')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  await button('Skip countdown').click();
  await recordFor(page, 1);
  await button('Pause').click();
  await expectAccessibleInEveryAppearance(page);

  await button('Stop Recording').click();
  await expect(page.getByLabel('Recorded video')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(button('Upload recovered recording')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
});
