import type { Page } from '@playwright/test';
import { listEntries } from '@/lib/journal/entries/contract';
import { startKillableBrowser } from '@/test/killable-browser';
import type { Account } from '../accounts';
import { expect, test } from '../fixtures';
import { OFFLINE_ERRORS, prepareOffline, recordAndUpload } from './offline-steps';
import { PRESIGNED_URL } from './upload-steps';

test.use({ serviceWorkers: 'allow' });

const TITLES = ['First', 'Second', 'Third'];
const KILLS = 6;

const titlesOf = async ({ api }: Account) =>
  (await api.call(listEntries)).map(({ title }) => title).toSorted();

/** How many recordings this device still has. */
const countRecordings = (page: Page) =>
  page.evaluate(async () => {
    const open = indexedDB.open('daylight');
    await new Promise((resolve) => {
      open.onsuccess = resolve;
    });
    const count = open.result.transaction('recordings').objectStore('recordings').count();
    await new Promise((resolve) => {
      count.onsuccess = resolve;
    });
    open.result.close();
    return count.result;
  });

/**
 * Waits for what a sending page is doing when its browser is killed. It may finish only two of the three recordings, so that
 * there's something to send each time.
 */
function waitForStage(page: Page, storage: string, kill: number) {
  const call = kill === 3 ? /\/upload\/complete$/ : PRESIGNED_URL;
  const isFile = kill % 2 === 0;
  return page.waitForRequest((request) =>
    isFile ? request.method() === 'POST' && request.url().startsWith(storage) : call.test(request.url()),
  );
}

test('a browser that’s killed six times while sending sends each recording once', async ({
  app,
  account,
  signIn,
}, info) => {
  // Seven starts of a browser, beside other tests.
  test.setTimeout(300_000);
  const executable = info.project.use.launchOptions?.executablePath;
  const profile = info.outputPath('profile');
  const open = async () => {
    const browser = await startKillableBrowser({ executable, profile });
    const page = await browser.context.newPage();
    await signIn(page, account);
    return { browser, page };
  };
  let { browser, page } = await open();
  try {
    await prepareOffline(page, app.url);
    await browser.context.setOffline(true);
    await page.goto(`${app.url}/upload`);
    for (const title of TITLES) await recordAndUpload(page, title);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await browser.kill();
      ({ browser, page } = await open());
      const session = await browser.context.newCDPSession(page);
      const slow = { offline: false, latency: 100, downloadThroughput: -1, uploadThroughput: 40_000 };
      await session.send('Network.emulateNetworkConditions', slow);
      const reached = waitForStage(page, app.addresses.storage, kill);
      await page.goto(`${app.url}/journals`);
      await reached;
    }
    await browser.kill();
    ({ browser, page } = await open());
    await page.goto(`${app.url}/journals`);
    await expect.poll(() => titlesOf(account)).toEqual(TITLES);
    await expect.poll(() => countRecordings(page)).toBe(0);
  } finally {
    await browser.kill();
  }
  expect(await titlesOf(account)).toEqual(TITLES);
});

test('the service worker sends a recording when no page is open', async ({
  page,
  context,
  account,
  watch,
  app,
}) => {
  watch.allowConsole(OFFLINE_ERRORS);
  await prepareOffline(page);
  await context.setOffline(true);
  await page.goto('/upload');
  await recordAndUpload(page, 'Nobody waited for this one');
  const worker = context.serviceWorkers()[0];
  const session = await context.newCDPSession(page);
  const registrations: { registrationId: string }[] = [];
  session.on('ServiceWorker.workerRegistrationUpdated', (event) =>
    registrations.push(...event.registrations),
  );
  await session.send('ServiceWorker.enable');
  await expect.poll(() => registrations.length).toBeGreaterThan(0);
  await page.goto('about:blank');
  await context.setOffline(false);
  expect(worker).toBeDefined();
  await session.send('ServiceWorker.dispatchSyncEvent', {
    origin: app.url,
    registrationId: registrations.at(-1)?.registrationId ?? '',
    tag: 'daylight-uploads',
    lastChance: false,
  });
  await expect.poll(() => titlesOf(account)).toEqual(['Nobody waited for this one']);
  await page.goto('/journals');
  await expect(page.getByRole('link', { name: 'Nobody waited for this one' })).toBeVisible();
  await expect.poll(() => countRecordings(page)).toBe(0);
});
