import { findChromium } from '@/test/chromium';
import { test as base, expect } from '../fixtures';
import { button } from './recording-steps';

/** The headless shell gives each camera a new id whenever a page loads, so the page can't know it again. */
const test = base.extend({
  launchOptions: [
    async ({ launchOptions }, use) => use({ ...launchOptions, executablePath: findChromium() }),
    { scope: 'worker' },
  ],
});

test('shows the chosen camera before recording, and remembers it', async ({ page }) => {
  await page.goto('/upload');
  await button(page, 'Camera & microphone').click();
  await expect(page.getByLabel('Live preview')).toBeVisible();
  const camera = page.getByLabel('Camera', { exact: true });
  await camera.selectOption({ label: 'fake_device_1' });
  const shown = () =>
    page.getByLabel('Live preview').evaluate((video: HTMLVideoElement) => {
      const stream = video.srcObject as MediaStream | null;
      return stream?.getVideoTracks()[0]?.label;
    });
  await expect.poll(shown).toBe('fake_device_1');
  await page.reload();
  const preview = page.getByLabel('Live preview');
  // The button does nothing before the page has come alive, and is gone once it has been clicked.
  await expect(async () => {
    if (!(await preview.isVisible())) await button(page, 'Start Recording').click({ timeout: 1000 });
    await expect(preview).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect.poll(shown).toBe('fake_device_1');
});
