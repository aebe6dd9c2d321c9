import type { Page } from '@playwright/test';
import { expect } from '../fixtures';

export const modal = (page: Page) => page.getByRole('dialog', { name: 'Plan Selection Modal' });

export const card = (page: Page, plan: string) =>
  modal(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: plan }) });

/** Opens the plans on the page at hand. */
export async function openPlans(page: Page) {
  await page.getByRole('button', { name: 'Upgrade Plan' }).click();
  await expect(modal(page).getByRole('button', { name: 'Current Plan' })).toBeVisible();
}

/** From the open plans to the Checkout page and back with a card that pays. */
export async function payFor(page: Page, plan: string) {
  await card(page, plan).getByRole('button', { name: 'Buy Now' }).click();
  await expect(page.getByRole('heading', { name: `Subscribe to Daylight ${plan}` })).toBeVisible();
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page).toHaveURL(/\/settings\/plan/);
}
