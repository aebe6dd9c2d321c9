import type { Locator, Page } from '@playwright/test';
import { newAccountDetails } from '../accounts';
import { expect } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { button, savedHere, wordsOf } from './recording-steps';
import { fillSignup, startCounting } from './signup-steps';
import { test } from './spoken-microphone';
import { expectAdvances, expectPlays } from './video-assertions';

const panel = (page: Page) => page.getByRole('region', { name: 'Try it' });
const sample = (page: Page) => page.getByLabel('Sample entry', { exact: true });
const recording = (page: Page) => page.getByLabel('Your recording');
const words = (page: Page) => page.getByRole('group', { name: 'Transcript words' });

/**
 * Records until the words are there, with two presses. While the machine says that it's too busy for words, as it may be
 * beside other tests and until the last second, it's tried again, which ends with the test's time.
 * @returns how often it was too busy
 */
async function tryIt(page: Page, click = (control: Locator) => control.click()): Promise<number> {
  const { captions, busy } = wordsOf(page);
  const kept = words(page).filter({ hasText: 'leisure' });
  for (let times = 0; ; times++) {
    await click(button(page, times === 0 ? 'Try it now' : 'Start Recording'));
    await expect(captions.filter({ hasText: 'leisure' }).or(busy).first()).toBeVisible();
    await click(button(page, 'Stop Recording'));
    await expect(kept.or(busy).first()).toBeVisible();
    if (await kept.isVisible()) return times;
    await button(page, 'Delete').click();
    await expect(recording(page)).toHaveCount(0);
  }
}

/** Collects where the headline is and how high the card is, from now on. @returns what returns each different one */
async function watchPlaces(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const places = new Set<string>();
    Object.assign(window, { places });
    const [headline, card] = [document.querySelector('h1'), document.querySelector('[aria-label="Try it"]')];
    requestAnimationFrame(function look() {
      const top = Math.round((headline?.getBoundingClientRect().top ?? 0) + scrollY);
      places.add(`headline at ${top}, card of ${Math.round(card?.getBoundingClientRect().height ?? 0)}`);
      requestAnimationFrame(look);
    });
  });
  return () => page.evaluate(() => [...(Reflect.get(window, 'places') as Set<string>)]);
}

test('a visitor reads their own words after two presses, and nothing leaves the device', async ({
  guest: page,
}) => {
  await page.goto('/');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
  });
  await expect(panel(page)).toContainText('Nothing leaves your device.');
  const places = await watchPlaces(page);
  await tryIt(page);
  expect(await places()).toHaveLength(1);

  const word = words(page)
    .locator('span')
    .getByText(/^leisure/)
    .first();
  await word.click();
  const at = () => recording(page).evaluate((video: HTMLVideoElement) => video.currentTime);
  await expect.poll(at).toBeGreaterThan(2);
  await expect(words(page).locator('.now')).toHaveCount(1);
  expect(sent).toEqual([]);
  await expectAccessibleInEveryAppearance(page);

  await button(page, 'Delete').click();
  await expect(recording(page)).toHaveCount(0);
});

test('a sample entry plays at once, in the same place, and a word plays from there', async ({
  guest: page,
}) => {
  await page.goto('/');
  const places = await watchPlaces(page);
  await button(page, 'Play a sample entry').click();
  await expectAdvances(sample(page));
  const last = words(page).locator('span').last();
  await last.click();
  const at = () => sample(page).evaluate((video: HTMLVideoElement) => video.currentTime);
  await expect.poll(at).toBeGreaterThan(5);
  expect(await places()).toHaveLength(1);
  await expectAccessibleInEveryAppearance(page);
});

for (const [missing, kinds, sentence] of [
  ['camera', ['audioinput'], 'We can’t find a camera on this device.'],
  ['camera and microphone', [], 'We can’t find a camera or a microphone on this device.'],
] as const) {
  test(`without a ${missing}, the card says so, and a sample plays`, async ({ guest: page }) => {
    await page.addInitScript((found) => {
      navigator.mediaDevices.enumerateDevices = async () =>
        found.map((kind) => ({ kind }) as MediaDeviceInfo);
    }, kinds);
    await page.goto('/');
    await expect(panel(page)).toContainText(sentence);
    await expect(button(page, 'Try it now')).toHaveCount(0);
    await expectAccessibleInEveryAppearance(page);
    await button(page, 'Play a sample entry').click();
    await expectAdvances(sample(page));
    await expect(button(page, 'Try it yourself')).toHaveCount(0);
  });
}

test('a blocked camera is explained, a sample offered, and nothing downloaded to write down words', async ({
  guest: page,
}) => {
  const downloads: string[] = [];
  page.on('request', (request) => downloads.push(...(request.url().match(/\/speech\/.*/) ?? [])));
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await page.goto('/');
  await button(page, 'Try it now').click();
  await expect(page.getByText(/camera and microphone are blocked/)).toBeVisible();
  await button(page, 'Play a sample entry').click();
  await expectAdvances(sample(page));
  expect(downloads).toEqual([]);
});

test('from the landing page to an own transcript takes five clicks and six fields', async ({
  guest: page,
  mailbox,
}) => {
  const person = newAccountDetails();
  const { count, click } = startCounting();
  await page.goto('/');
  const tooBusy = await tryIt(page, click);
  await click(page.getByRole('link', { name: 'Keep it' }));
  const beside = page.getByRole('complementary', { name: 'Your recording' });
  await expect(beside.getByRole('img').locator('canvas')).toBeVisible();
  await expect(beside).toContainText('leisure');
  await expect(page.getByRole('link', { name: 'Log in' })).toHaveAttribute(
    'href',
    /^\/login\?next=%2Fupload%3Fkeep%3D/,
  );
  await expectAccessibleInEveryAppearance(page);
  await fillSignup(page, person);
  await click(button(page, 'Signup'));
  await expect(page.getByText(person.email)).toBeVisible();

  // A mail program opens links in a tab of its own. The one that waited for that continues by itself.
  const tab = await page.context().newPage();
  await tab.goto((await mailbox.wait(person.email, /verify/i)).link);
  await expect(tab.getByRole('link', { name: 'Continue to your recording' })).toBeVisible();
  await tab.close();
  await expectPlays(page.getByLabel('Recorded video'));
  await expect(page.getByRole('region', { name: 'Your words' })).toContainText('leisure');
  await expect(page.getByLabel('Title')).not.toHaveValue('');
  await click(button(page, 'Upload Video'));
  await page.waitForURL('/journals');
  expect(count.clicks - 2 * tooBusy).toBeLessThanOrEqual(5);

  await page.getByRole('article').getByRole('link').click();
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('leisure');
  // It's the account's now, and no visitor's.
  await page.goto('/upload');
  await expect(button(page, 'Start Recording')).toBeVisible();
  await expect(savedHere(page)).toHaveCount(0);
});
