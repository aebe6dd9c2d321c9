import type { Page, Route } from '@playwright/test';
import { planDetails } from '@/lib/billing/plans/contract';
import { listEntries } from '@/lib/journal/entries/contract';
import { h264Mp4 } from '@/test/media/clips';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import {
  largeVideo,
  MEGABYTE,
  OFFLINE_MESSAGE,
  PRESIGNED_URL,
  recordUploadCalls,
  refusePart,
  startUpload,
} from './upload-steps';

const STORAGE_DOWN = 'Storage isn’t responding. We’ll keep trying, and nothing is lost.';
const CORS =
  'Storage doesn’t accept uploads from this site. Ask the site’s administrator to check storage’s CORS settings.';

const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const tryAgain = (page: Page) => uploads(page).getByRole('button', { name: /^Try again/ });

/** Records what a screen reader is told about the upload on the page. */
const recordAnnouncements = (page: Page) =>
  uploads(page)
    .getByRole('listitem')
    .getByRole('status')
    .evaluate((region) => {
      const heard: string[] = [];
      Reflect.set(window, 'heard', heard);
      const listen = () => heard.push(region.textContent);
      new MutationObserver(listen).observe(region, { subtree: true, childList: true, characterData: true });
      listen();
    });
const announcements = (page: Page) => page.evaluate(() => Reflect.get(window, 'heard') as string[]);

test('waits longer after each failed try, says why once, and goes on when storage is back', async ({
  app,
  page,
  api,
  watch,
}) => {
  watch.allowConsole(/status of 503/);
  await page.clock.install();
  /** The page's time of each try. */
  const tries: number[] = [];
  const refuse = async (route: Route) => {
    if (route.request().method() !== 'POST') return route.continue();
    tries.push(await page.evaluate(() => Date.now()));
    await refusePart(route, 503, 'SlowDown');
  };
  await page.route(`${app.addresses.storage}/**`, refuse);
  await startUpload(page, await h264Mp4(), 'Worth the wait');
  await expect(uploads(page).getByText(STORAGE_DOWN)).toBeVisible();
  await recordAnnouncements(page);
  for (let n = 2; n <= 7; n += 1) {
    await expect(async () => {
      await page.clock.runFor(500);
      expect(tries.length).toBeGreaterThanOrEqual(n);
    }).toPass({ intervals: [50], timeout: 60_000 });
  }
  const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
  const least = [500, 1000, 2000, 4000, 8000, 15_000];
  expect(waits.map((wait, index) => wait >= (least[index] ?? 0))).toEqual(least.map(() => true));
  expect(await announcements(page)).toEqual([STORAGE_DOWN]);

  await page.unroute(`${app.addresses.storage}/**`, refuse);
  await tryAgain(page).click();
  await page.waitForURL('/journals');
  expect((await api.call(listEntries)).map(({ title }) => title)).toEqual(['Worth the wait']);
  expect((await api.call(planDetails)).videoCount).toBe(1);
});

test('names what keeps an upload from going on, here and on other pages', async ({
  app,
  page,
  api,
  watch,
}) => {
  watch.allowConsole(/net::ERR_FAILED|status of (40[035]|503|507)/);
  let answer = (route: Route): Promise<void> => route.abort();
  await page.route(`${app.addresses.storage}/**`, (route) => answer(route));
  await startUpload(page, await h264Mp4(), 'Held up');
  await expect(uploads(page).getByText(STORAGE_DOWN)).toBeVisible();
  await expect(uploads(page).getByText('Uploading...')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  answer = (route) => refusePart(route, 507, 'XMinioStorageFull');
  await tryAgain(page).click();
  await expect(uploads(page).getByText(/^Storage is full\./)).toBeVisible();
  await page.getByRole('link', { name: 'Journal', exact: true }).click();
  const pill = page.getByRole('link', { name: 'Storage is full' });
  await expect(pill).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  await pill.click();

  const unavailable = { code: 'unavailable', message: 'We can’t reach one of our services right now.' };
  await page.route(PRESIGNED_URL, (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '60' }, json: unavailable }),
  );
  await tryAgain(page).click();
  await expect(uploads(page).getByText(/^One of our services isn’t responding\./)).toBeVisible();
  await page.unroute(PRESIGNED_URL);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(async () => (await api.call(planDetails)).videoCount).toBe(0);
});

test('says that storage refuses the site, and takes the video once it doesn’t', async ({
  page,
  api,
  watch,
}) => {
  watch.allowConsole(/blocked by CORS policy|net::ERR_FAILED|status of 40[035]/);
  // A method that no storage's CORS rule allows stands for an origin that it doesn't allow.
  await page.addInitScript(() => {
    const open = XMLHttpRequest.prototype.open;
    XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, url: string | URL) {
      const isAllowed = Reflect.get(window, 'isAllowed') || !['POST', 'PUT'].includes(method);
      open.call(this, isAllowed ? method : 'LOCK', url, true);
    };
  });
  await startUpload(page, await h264Mp4(), 'Let in');
  await expect(uploads(page).getByText(CORS)).toBeVisible();
  // In one piece, and then in parts.
  await expect(
    page.getByRole('alert').getByText('Failed uploading file. Ensure the file is actually a proper video.'),
  ).toBeVisible({ timeout: 60_000 });
  await expect(uploads(page).getByText(CORS)).toBeVisible();
  await page.evaluate(() => Reflect.set(window, 'isAllowed', true));
  await tryAgain(page).click();
  await page.waitForURL('/journals');
  expect((await api.call(listEntries)).map(({ title }) => title)).toEqual(['Let in']);
});

test('doesn’t take a connection that breaks between parts for a CORS rule', async ({
  app,
  page,
  api,
  watch,
}) => {
  watch.allowConsole(/net::ERR_CONNECTION_RESET|status of 40[035]/);
  let puts = 0;
  const breakAfterFirst = async (route: Route) => {
    if (route.request().method() === 'PUT') puts += 1;
    await (route.request().method() === 'PUT' && puts > 1
      ? route.abort('connectionreset')
      : route.continue());
  };
  await page.route(`${app.addresses.storage}/**`, breakAfterFirst);
  await startUpload(page, (await largeVideo(10 * MEGABYTE)).path, 'On a train');
  await expect(uploads(page).getByText(OFFLINE_MESSAGE)).toBeVisible();
  await page.unroute(`${app.addresses.storage}/**`, breakAfterFirst);
  await tryAgain(page).click();
  await page.waitForURL('/journals');
  expect((await api.call(listEntries)).map(({ title }) => title)).toEqual(['On a train']);
});

test('sends a short video in parts where the CORS rule is that of an earlier version', async ({
  app,
  page,
  api,
  watch,
}) => {
  watch.allowConsole(/blocked by CORS policy|net::ERR_FAILED|status of 40[035]/);
  // A method that no rule allows stands for POST, which that rule doesn't allow.
  await page.addInitScript(() => {
    const open = XMLHttpRequest.prototype.open;
    XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, url: string | URL) {
      open.call(this, method === 'POST' ? 'LOCK' : method, url, true);
    };
  });
  const calls = recordUploadCalls(page, app);
  await startUpload(page, await h264Mp4(), 'Before the upgrade');
  await page.waitForURL('/journals', { timeout: 60_000 });
  expect(calls.slice(-3)).toEqual(['POST upload/parts', 'PUT part 1', 'GET upload/complete']);
  expect((await api.call(listEntries)).map(({ title }) => title)).toEqual(['Before the upgrade']);
  expect((await api.call(planDetails)).videoCount).toBe(1);
});

test('sends a form once more whose answer was lost, unless it has arrived', async ({
  app,
  page,
  api,
  watch,
}) => {
  watch.allowConsole(/status of 40[035]/);
  await page.addInitScript(() => {
    const open = XMLHttpRequest.prototype.open;
    let isLost = false;
    XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, url: string | URL) {
      if (method === 'POST' && !isLost) {
        isLost = true;
        // The file has arrived by then.
        this.onload = (event) => this.onerror?.(event);
      }
      open.call(this, method, url, true);
    };
  });
  const calls = recordUploadCalls(page, app);
  await startUpload(page, await h264Mp4(), 'Heard once');
  await page.waitForURL('/journals');
  expect(calls).toEqual(['GET presigned_url', 'POST file', 'GET upload', 'GET upload/complete']);
  expect((await api.call(listEntries)).map(({ title }) => title)).toEqual(['Heard once']);
});

test('asks for another address if the first one has expired', async ({ app, page, api, watch }) => {
  watch.allowConsole(/status of 403/);
  let addresses = 0;
  await page.route(PRESIGNED_URL, async (route) => {
    addresses += 1;
    if (addresses > 1) return route.continue();
    const response = await route.fetch();
    const answer = (await response.json()) as { presignedData: { fields: Record<string, string> } };
    // What storage says about an address that has expired, and about one that was altered, is the same to a page.
    answer.presignedData.fields['X-Amz-Signature'] = '0'.repeat(64);
    await route.fulfill({ response, json: answer });
  });
  const calls = recordUploadCalls(page, app);
  await startUpload(page, await h264Mp4(), 'Slept on');
  await page.waitForURL('/journals');
  const [send, complete] = ['POST file', 'GET upload/complete'];
  expect(calls).toEqual(['GET presigned_url', send, 'GET upload', 'GET presigned_url', send, complete]);
  expect((await api.call(planDetails)).videoCount).toBe(1);
});
