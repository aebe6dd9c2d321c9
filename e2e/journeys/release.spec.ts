import type { Page } from '@playwright/test';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { simulateReleases } from '../rolled-out';
import { expectReachable } from './input-steps';
import { button, recordFor, startRecording, stopRecording } from './recording-steps';

const newVersion = (page: Page) => page.getByText('A new version of Daylight is ready.');

/** Opens a dialog, whose code loads when it's first needed. */
async function askToDelete(page: Page): Promise<void> {
  const item = page.getByRole('menuitem', { name: 'Delete' });
  // Still open if it was clicked before its script had loaded.
  if (!(await item.isVisible())) await page.getByRole('button', { name: 'More actions' }).click();
  // A page that reloads in between has no menu any more, and whoever asked opens it again.
  await item.click({ timeout: 10_000 });
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Delete this entry?' });

/** Opens the dialog of a page whose scripts may still be loading. With `reloads`, whenever the page says that it should be. */
async function expectQuestion(page: Page, { reloads = false } = {}): Promise<void> {
  await expect(async () => {
    if (reloads && (await newVersion(page).isVisible())) await button(page, 'Reload').click();
    await askToDelete(page);
    await expect(question(page)).toBeVisible({ timeout: 3000 });
  }).toPass();
}

/**
 * Files that a version doesn't have, videos that these entries don't have, and media that Chromium doesn't load into a
 * page from storage on this machine, because it can't tell where a page that the test changed is from.
 */
const EXPECTED = /status of 404|video\.mp4|preloaded using link preload|blocked by CORS policy|ERR_FAILED/;

test('a release loses nothing in open tabs', async ({ app, page, context, account, sql, watch }) => {
  watch.allowConsole(EXPECTED);
  const release = await simulateReleases(context, app.url);
  const id = await insertEntry(sql, await userIdOf(sql, account.email), { title: 'A day' });
  const [typing, idle] = [await context.newPage(), await context.newPage()];
  await typing.goto(`/entry/${id}`);
  await typing.getByLabel('Additional notes').fill('Half a thought');
  await idle.goto(`/entry/${id}`);
  await expect(idle.getByRole('button', { name: 'More actions' })).toBeVisible();
  await page.bringToFront();
  await page.goto('/upload');
  await startRecording(page);
  await recordFor(page, 1);

  release('new');
  await recordFor(page, 1);
  await stopRecording(page);
  // Its code loads when it's opened.
  await button(page, 'Open calendar').click();
  await expect(newVersion(page)).toBeVisible();
  await page.getByLabel('Title').fill('Recorded during a release');
  await button(page, 'Upload Video').click();
  await page.waitForURL('/journals');
  await expect(page.getByText('Recorded during a release').first()).toBeVisible();

  await typing.bringToFront();
  await askToDelete(typing);
  await expect(newVersion(typing)).toBeVisible();
  await expect(typing.getByLabel('Additional notes')).toHaveValue('Half a thought');
  await typing.setViewportSize({ width: 390, height: 844 });
  // Nothing covers the bar at the bottom.
  await typing.getByRole('link', { name: 'Settings' }).click({ trial: true });
  await button(typing, 'Reload').click();
  await expect(newVersion(typing)).toHaveCount(0);
  await expect(typing.getByLabel('Additional notes')).toHaveValue('Half a thought');
  await expectQuestion(typing);

  await idle.bringToFront();
  const reloaded = idle.waitForEvent('load');
  await askToDelete(idle);
  await reloaded;
  await expectQuestion(idle);
  await expect(newVersion(idle)).toHaveCount(0);
});

test('a page doesn’t reload itself twice in a row', async ({ app, page, context, account, sql, watch }) => {
  watch.allowConsole(EXPECTED);
  const release = await simulateReleases(context, app.url);
  const id = await insertEntry(sql, await userIdOf(sql, account.email), { title: 'A day' });
  await page.goto(`/entry/${id}`);
  await expect(page.getByRole('button', { name: 'More actions' })).toBeVisible();
  release('new');
  const reloaded = page.waitForEvent('load');
  await askToDelete(page);
  await reloaded;
  // Back to the version before, as when the new one fails.
  await expect(page.getByRole('button', { name: 'More actions' })).toBeVisible();
  release('old');
  await expect(async () => {
    await askToDelete(page);
    await expect(newVersion(page)).toBeVisible({ timeout: 8000 });
  }).toPass();
});

test('pages work while two versions answer in turn', async ({ app, page, context, account, sql, watch }) => {
  watch.allowConsole(EXPECTED);
  const release = await simulateReleases(context, app.url);
  const id = await insertEntry(sql, await userIdOf(sql, account.email), { title: 'A day' });
  release('both');
  for (let load = 0; load < 4; load += 1) {
    await page.goto(`/entry/${id}`);
    // The one reload that a page does by itself may meet the other version again.
    await expectQuestion(page, { reloads: true });
    await expect(page.locator('body')).toHaveCSS('font-family', /figtree/i);
  }
});

test('a page that the network doesn’t deliver isn’t taken for a release', async ({ guest, watch }) => {
  watch.allowConsole(/ERR_FAILED|Failed to load chunk/);
  await guest.goto('/login', { waitUntil: 'networkidle' });
  await guest.evaluate(() => Object.assign(window, { isFirstLoad: true }));
  const files = '**/_next/static/**';
  await guest.route(files, (route) => route.abort());
  await button(guest, 'Reset Password').click();
  await expect(guest.getByRole('heading', { name: 'We couldn’t load this page' })).toBeVisible();
  expect(await guest.evaluate(() => 'isFirstLoad' in window)).toBe(true);
  await guest.unroute(files);
  await button(guest, 'Reload').click();
  await expect(guest.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
});

test('a notice of a release stays out of a recording’s way', async ({ app, page, context, watch }) => {
  watch.allowConsole(EXPECTED);
  const release = await simulateReleases(context, app.url);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/upload');
  await startRecording(page);
  await recordFor(page, 1);
  release('new');
  // What a recording needs was loaded when it started.
  await page.goBack();
  await button(page, 'Keep recording').click();
  await expect(newVersion(page)).toHaveCount(0);
  await expectReachable(button(page, 'Stop Recording'));
  await stopRecording(page);
  await expect(page.getByRole('combobox', { name: 'Add tag' })).toBeVisible();
  await button(page, 'Open calendar').click();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 });
    await expect(newVersion(page)).toBeVisible();
    await expectReachable(button(page, 'Upload Video'));
  }
});
