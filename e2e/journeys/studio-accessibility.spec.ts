import { expect, test } from '../fixtures';
import { expectAccessible, LOOKS } from './axe';
import { holdCountdown, recordFor } from './recording-steps';

for (const { colorScheme, width } of LOOKS) {
  test(`the studio is accessible in every state, in ${colorScheme} at ${width} px`, async ({ page }) => {
    await holdCountdown(page);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/upload');
    await page.evaluate(() => {
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = () => {
        navigator.mediaDevices.getUserMedia = open;
        return Promise.reject(new DOMException('no', 'NotAllowedError'));
      };
    });
    await button('Start Recording').click();
    await expect(page.getByText(/camera and microphone are blocked/)).toBeVisible();
    await expectAccessible(page, width);

    await button('Camera & microphone').click();
    await expect(page.getByLabel('Live preview')).toBeVisible();
    await expectAccessible(page, width);

    await button('Start Recording').click();
    await expect(button('Skip Countdown')).toBeVisible();
    await expectAccessible(page, width);

    await button('Skip Countdown').click();
    await recordFor(page, 1);
    await button('Pause').click();
    await expectAccessible(page, width);

    await button('Stop Recording').click();
    await expect(page.getByLabel('Recorded video')).toBeVisible();
    await expectAccessible(page, width);

    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await button('Discard').click();
    await expect(button('Keep It')).toBeFocused();
    await expectAccessible(page, width);
  });
}
