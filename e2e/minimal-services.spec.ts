import { expect, test } from '@playwright/test';
import { planDetails } from '@/lib/billing/plans/contract';
import { customerPortal, startCheckout } from '@/lib/billing/subscriptions/contract';
import { spokenClip } from '@/test/media/speech';
import { signUp } from './accounts';
import { uploadVideo, waitForProcessing } from './client';
import { expectPlays } from './journeys/video-assertions';
import { startMinimalSite } from './minimal-site';

let site: Awaited<ReturnType<typeof startMinimalSite>>;

test.beforeAll(async () => {
  site = await startMinimalSite();
  await site.start();
});
test.afterAll(() => site.end());

test('a site without Stripe, Resend, and a speech service keeps a journal', async ({ page }) => {
  await page.goto(site.url);
  await expect(page.getByRole('heading', { name: 'Everything’s included' })).toBeVisible();
  await expect(page.getByText('$')).toHaveCount(0);

  const { api } = await signUp(site.url, site.mailbox);
  const id = await uploadVideo(api, (await spokenClip()).path);
  const entry = await waitForProcessing(api, id, 'transcript');
  expect([entry.status, entry.videoStatus]).toEqual(['completed', 'ready']);
  expect(entry.transcription).toMatchObject({ status: 'completed', language: 'en', draft: false });
  const cookies = [...api.cookies].map(([name, value]) => ({ name, value, url: site.url, httpOnly: true }));
  await page.context().addCookies(cookies);
  await page.goto(`${site.url}/entry/${id}`);
  const transcript = page.getByRole('region', { name: 'Transcript' });
  await expect(transcript).toContainText('a more amiable woman');
  await expectPlays(page.locator('video'));

  expect(await api.call(planDetails)).toMatchObject({ currentPlan: 'Standard', videoCount: 1 });
  for (const [operation, input] of [
    [startCheckout, { body: { planId: 'basic' } }],
    [customerPortal, {}],
  ] as const) {
    const response = await api.sendOperation(operation, input);
    expect([response.status, await response.json()]).toEqual([
      503,
      { code: 'billing_off', message: expect.stringContaining('doesn’t charge') },
    ]);
  }
  const headers = { 'stripe-signature': 't=1,v1=00' };
  expect((await api.send('POST', '/api/webhooks/stripe', { body: '{}', headers })).status).toBe(503);
  for (const tab of ['plan', 'billing']) {
    await page.goto(`${site.url}/settings/${tab}?bought=Standard`);
    await expect(page.getByText(/This site doesn’t charge/)).toBeVisible();
    await expect(page.getByRole('button', { name: /Upgrade Plan|Portal/ })).toHaveCount(0);
    await expect(page.getByText(/\$|payment/)).toHaveCount(0);
  }
  expect(site.log()).toContain('Plans are off');
  expect(site.log()).toContain('The built-in engine transcribes English.');
  // Not even while it started, when no job could run yet.
  expect(site.log()).not.toContain('"level":50');
  expect(site.log()).not.toMatch(/p@ssword|p%40ssword/);
});
