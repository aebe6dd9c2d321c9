import { expect, test } from '@/e2e/fixtures';
import { expectAccessibleInEveryAppearance } from './axe';

test('a visitor reads the licenses of the models and libraries', async ({ guest }) => {
  await guest.goto('/');
  await guest.getByRole('link', { name: 'Open source notices' }).click();
  await expect(guest.getByRole('heading', { name: 'Open source notices', level: 1 })).toBeVisible();
  const moonshine = guest.getByRole('listitem').filter({ hasText: 'Moonshine tiny' });
  await expect(moonshine).toContainText(/moonshine-js \d+\.\d+\.\d+ · MIT/);
  await expectAccessibleInEveryAppearance(guest);
  await moonshine.getByText('License of Moonshine tiny').click();
  await expect(moonshine.getByText('Copyright (c) 2025 Useful Sensors')).toBeVisible();
  const licenses = guest.locator('details');
  await licenses.evaluateAll((all) => {
    for (const license of all) (license as HTMLDetailsElement).open = true;
  });
  await expectAccessibleInEveryAppearance(guest);
});

test('a member finds the notices in the settings', async ({ page }) => {
  await page.goto('/settings');
  await page.getByRole('link', { name: 'Open source notices' }).click();
  await expect(page).toHaveURL('/notices');
  await expect(page.getByRole('heading', { name: 'Transcription' })).toBeVisible();
});
