import type { Page } from '@playwright/test';
import Stripe from 'stripe';
import { listPlans } from '@/lib/billing/plans/contract';
import type { Client } from '../client';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { card, modal, openPlans, payFor } from './plan-steps';

const currentPlan = async (api: Client) =>
  (await api.call(listPlans)).plans.find((plan) => plan.isCurrentPlan)?.planType;

async function openModal(page: Page) {
  await page.goto('/settings/plan');
  await openPlans(page);
}

async function buy(page: Page, plan: string) {
  await openModal(page);
  await payFor(page, plan);
}

test('a person buys Basic and sees it within 2 s of paying', async ({ page, api }) => {
  await buy(page, 'Basic');
  // A promise of the product to its user, and no measure of speed.
  await expect(page.getByText('You’re now on the Basic plan.')).toBeVisible({ timeout: 2000 });
  await expect(page.getByText('0.00 B of 50.00 GB')).toBeVisible();
  expect(await currentPlan(api)).toBe('Basic');
});

test('who closes the checkout, or opens its return address, has the plan of before', async ({
  page,
  api,
  watch,
}) => {
  watch.allowConsole(/status of 402/);
  await openModal(page);
  await expect(card(page, 'Free').getByText('$0/month')).toBeVisible();
  await expect(card(page, 'Standard').getByText('$10/month')).toBeVisible();
  await card(page, 'Basic').getByRole('button', { name: 'Buy Now' }).click();
  await expect(page.getByRole('heading', { name: 'Subscribe to Daylight Basic' })).toBeVisible();
  await page.getByLabel('Card number').fill('4000 0000 0000 0002');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL('/settings/plan');
  await expect(page.getByText('0.00 B of 5.00 GB')).toBeVisible();
  await page.goto('/settings/plan?bought=Standard');
  await expect(page.getByText('Confirming your payment…')).toBeVisible();
  expect(await currentPlan(api)).toBe('Free');
});

test('a downgrade is confirmed, and shown as coming; one that does not fit says by how much', async ({
  page,
  account,
  sql,
  api,
}) => {
  await buy(page, 'Standard');
  await expect(page.getByText('You’re now on the Standard plan.')).toBeVisible();
  const userId = await userIdOf(sql, account.email);
  const id = await insertEntry(sql, userId);
  await sql`update entries set bytes = 62000000000 where id = ${id}`;
  await openModal(page);
  const unavailable = card(page, 'Basic').getByRole('button', { name: 'Unavailable' });
  const reason = 'You use 62.00 GB; Basic holds 50.00 GB. Delete 12.00 GB first.';
  await expect(card(page, 'Basic').getByText(reason)).toBeVisible();
  await expect(unavailable).toHaveAccessibleDescription(new RegExp(reason));
  await expect(unavailable).toBeDisabled();
  await modal(page).getByRole('button', { name: 'Close' }).click();
  await sql`delete from entries where id = ${id}`;
  await openModal(page);
  await card(page, 'Basic').getByRole('button', { name: 'Downgrade' }).click();
  await expect(page.getByRole('heading', { name: 'Confirm your updates' })).toBeVisible();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL('/settings/plan');
  await expect(page.getByText(/Your plan changes to Basic on/)).toBeVisible();
  expect(await currentPlan(api)).toBe('Standard');
});

test('a subscriber who upgrades confirms it and has the plan at once', async ({ page, api }) => {
  await buy(page, 'Basic');
  await openModal(page);
  await card(page, 'Standard').getByRole('button', { name: 'Buy Now' }).click();
  await expect(page.getByRole('heading', { name: 'Confirm your updates' })).toBeVisible();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('You’re now on the Standard plan.')).toBeVisible();
  await expect(page.getByText('0.00 B of 250.00 GB')).toBeVisible();
  expect(await currentPlan(api)).toBe('Standard');
});

test('the portal shows invoices and leads back', async ({ page }) => {
  await buy(page, 'Basic');
  await page.goto('/settings/billing');
  await page.getByRole('button', { name: 'Billing + Invoicing Portal' }).click();
  await expect(page.getByRole('heading', { name: 'Invoice history' })).toBeVisible();
  await expect(page.getByText('$5.00, paid')).toBeVisible();
  await page.getByRole('link', { name: 'Return' }).click();
  await expect(page).toHaveURL('/settings/billing');
});

test('a reached quota opens the modal, and buying a plan makes room', async ({ page, account, sql }) => {
  const userId = await userIdOf(sql, account.email);
  for (let taken = 0; taken < 30; taken += 1) await insertEntry(sql, userId);
  await page.goto('/upload');
  await expect(modal(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText("You have reached your plan's quota.")).toBeVisible();
  await page.getByRole('button', { name: 'Upgrade Plan' }).click();
  await expect(modal(page).getByRole('button', { name: 'Current Plan' })).toBeVisible();
  await buy(page, 'Basic');
  await expect(page.getByText('You’re now on the Basic plan.')).toBeVisible();
  await page.goto('/upload');
  await expect(page.getByRole('button', { name: 'Start Recording' })).toBeVisible();
});

test('the webhook refuses what Stripe has not signed', async ({ app, anonymous }) => {
  const payload = JSON.stringify({
    id: 'evt_x',
    object: 'event',
    type: 'invoice.paid',
    livemode: false,
    data: { object: {} },
  });
  const secret = app.secrets.stripeWebhookSecret;
  const sign = (timestamp: number) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(timestamp / 1000) });
  const post = async (body: string, signature: string) =>
    (
      await anonymous.send('POST', '/api/webhooks/stripe', {
        body,
        headers: { 'stripe-signature': signature },
      })
    ).status;
  expect(await post(payload, '')).toBe(400);
  expect(await post(payload.replace('paid', 'void'), sign(Date.now()))).toBe(400);
  expect(await post(payload, sign(Date.now() - 310_000))).toBe(400);
  expect(await post(payload, sign(Date.now() + 310_000))).toBe(400);
  expect(await post('x'.repeat(1_000_001), sign(Date.now()))).toBe(413);
  expect(await post(payload, sign(Date.now()))).toBe(200);
});
