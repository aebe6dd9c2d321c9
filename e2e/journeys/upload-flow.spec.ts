import { newAccountDetails } from '@/e2e/accounts';
import { expect, test } from '@/e2e/fixtures';
import type { Entry } from '@/lib/journal/entries/contract';
import { spokenClip } from '@/test/media/speech';
import { wordErrors } from '@/test/word-errors';
import {
  expectAdvances,
  expectPlays,
  expectSameDocument,
  expectThumbnail,
  listenForSeek,
  markDocument,
} from './video-assertions';

/** Of the 70 words that are read. */
const MAX_WRONG_WORDS = 5;

const WORDS = '.transcript-paragraph > p > span';
const plain = (word: string) => word.toLowerCase().replace(/[^a-z']/g, '');

test('somebody signs up, uploads a day, reads it and goes back to a word', async ({
  app,
  guest: page,
  mailbox,
}) => {
  test.setTimeout(240_000);
  const person = newAccountDetails();
  const clip = await spokenClip();

  await test.step('sign up', async () => {
    await page.goto('/');
    await page.getByRole('navigation').getByRole('link', { name: 'Signup' }).click();
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('First name').fill(person.firstName);
    await page.getByLabel('Last name').fill(person.lastName);
    await page.getByLabel('Gender').selectOption(person.gender);
    await page.getByLabel('Date of birth').fill(person.dateOfBirth);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Signup' }).click();
    await expect(page.getByText('Please check your email to finish verifying your account.')).toBeVisible();
  });

  await test.step('verify by the mail', async () => {
    const { link } = await mailbox.wait(person.email);
    await page.goto(link);
    await expect(page.getByText('You are verified!')).toBeVisible();
    await page.goto('/');
    await expect(page.getByText('Total Entries: 0')).toBeVisible();
  });

  const title = 'A morning read aloud';
  await test.step('upload', async () => {
    await page.getByRole('link', { name: 'Upload', exact: true }).click();
    await page.getByPlaceholder('Select a date in the past').fill('02/14/2026');
    await page.getByLabel('Title').fill(title);
    await page.locator('input[type=file]').setInputFiles(clip.path);
    await expect(page.getByText('spoken.mp4')).toBeVisible();
    let release = () => {};
    const seen = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`${app.addresses.storage}/**`, async (route) => {
      if (route.request().method() === 'POST') await seen;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Upload Video' }).click();
    await expect(page.getByText('Uploading...')).toBeVisible();
    release();
    await page.waitForURL('/journals');
    await page.unrouteAll({ behavior: 'wait' });
    await markDocument(page);
  });

  await test.step('the card completes by itself', async () => {
    const card = page.getByRole('article').filter({ hasText: title });
    await expect(card).toContainText('2026-02-14');
    await expectThumbnail(page, title);
    await expect(card.getByText('Processing')).toHaveCount(0, { timeout: 60_000 });
    await expectSameDocument(page);
    await card.getByRole('link').click();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Date' })).toHaveValue('02/14/2026');
  });

  const video = page.locator('video');
  await test.step('it plays', async () => {
    await expectPlays(video);
    await video.press(' ');
  });

  await test.step('what was said can be read', async () => {
    const words = page.getByRole('group', { name: 'Transcript words' });
    await expect(words).toBeVisible({ timeout: 120_000 });
    await expectSameDocument(page);
    const heard = (await page.locator(WORDS).allTextContents()).join(' ');
    expect(wordErrors(clip.text, heard), heard).toBeLessThanOrEqual(MAX_WRONG_WORDS);
  });

  await test.step('a word leads to its moment', async () => {
    const id = new URL(page.url()).pathname.split('/')[2];
    const entry = await page.evaluate(
      async (path) => (await (await fetch(path)).json()) as Entry,
      `/api/v1/entry/${id}`,
    );
    const { words } = entry.transcription;
    const sentenceAt = (seconds: number) =>
      clip.utterances.findLast(({ startSeconds }) => startSeconds <= seconds + 0.3)?.text.split(' ') ?? [];
    // Long words that were heard right, in the sentence that was being read at their moment.
    const placed = words.filter(
      ({ word, start_time }) => word.length > 4 && sentenceAt(start_time).includes(plain(word)),
    );
    expect(placed.length).toBeGreaterThan(20);
    const target = placed.find(({ start_time }) => start_time > 8);
    const arrived = await listenForSeek(video);
    await page
      .locator(WORDS)
      .nth(target ? words.indexOf(target) : -1)
      .click();
    expect(Math.abs((await arrived()) - (target?.start_time ?? Number.NaN))).toBeLessThanOrEqual(0.3);
    await expectAdvances(video);
  });
});
