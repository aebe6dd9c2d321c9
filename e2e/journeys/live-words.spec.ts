import type { Page } from '@playwright/test';
import { expect } from '@/e2e/fixtures';
import { saveTranscription } from '@/lib/journal/transcripts/contract';
import { spokenClip } from '@/test/media/speech';
import { wordErrors } from '@/test/word-errors';
import { insertEntry, userIdOf } from '../database';
import { findInBrowserStorage } from './browser-storage';
import { countPosts, insertTranscript } from './entry-steps';
import {
  button,
  confirmReload,
  record,
  recordFor,
  startRecording,
  stopRecording,
  wordsOf,
} from './recording-steps';
import { test } from './spoken-microphone';

/** Records until these words are on screen, and again whenever the machine says that it's too busy to show them. */
async function recordUntil(page: Page, words: string) {
  const { wanted, ready, captions, busy } = wordsOf(page);
  const heard = captions.filter({ hasText: words });
  if (new URL(page.url()).pathname !== '/upload') await page.goto('/upload');
  for (;;) {
    await wanted.check();
    await expect(ready).toBeVisible();
    await startRecording(page);
    await expect(heard.or(busy).first()).toBeVisible();
    if (await heard.isVisible()) return;
    await stopRecording(page);
    await button(page, 'Discard').click();
    // The microphone starts again with the page.
    await confirmReload(page);
  }
}

/** Presses a button that uploads a recording. @returns the transcript that the API answers its words with */
async function uploadWithWords(page: Page, name: string) {
  const sent = page.waitForResponse((response) => response.url().endsWith('/transcription'));
  await button(page, name).click();
  return (await (await sent).json()).transcription;
}

test('somebody sees their words as they speak, and finds them with the entry', async ({
  page,
  account,
  api,
  sql,
}) => {
  const { text } = await spokenClip();
  const { wanted, ready, heard } = wordsOf(page);

  await test.step('correct a name in another entry', async () => {
    const id = await insertEntry(sql, await userIdOf(sql, account.email), { transcriptStatus: 'completed' });
    await insertTranscript(sql, id);
    const words = ['I', 'called', 'Jon', 'today.'].map((word, at) => ({ word, startTime: at, endTime: at }));
    await api.call(saveTranscription, { params: { id }, body: { transcription: { words } } });
  });

  await test.step('turn it on', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const response = await page.goto('/upload');
    expect(response?.headers()['content-security-policy']).not.toContain('wasm-unsafe-eval');
    await expect(page.getByText(/Downloads \d+ MB once/)).toBeVisible();
    expect(asked.filter((path) => /^\/speech\/|vocabulary/.test(path))).toEqual([]);
    await wanted.check();
    await expect(page.getByRole('progressbar', { name: 'Download' })).toBeVisible();
    await expect(ready).toBeVisible({ timeout: 60_000 });
  });

  await test.step('speak', async () => {
    await recordUntil(page, 'himself');
    await stopRecording(page);
  });

  await test.step('read it', async () => {
    await expect(heard).toContainText('You can correct these words after you upload.');
    const words = await heard.locator('p').first().innerText();
    expect(wordErrors(text, words)).toBeLessThanOrEqual(10);
    // The spelling that was corrected. The last name, which wasn't, depends on where the recording starts.
    expect(words).toMatch(/\bJon\b/);
    await expect(page.getByText('Suggested from your words. Type to change it.')).toBeVisible();
    await expect(page.getByLabel('Title')).not.toHaveValue('');
  });

  const title = await page.getByLabel('Title').inputValue();
  await test.step('upload it', async () => {
    const transcription = await uploadWithWords(page, 'Upload Video');
    expect(transcription).toMatchObject({ status: 'completed', draft: true, language: 'en' });
    expect(transcription.words.at(-1).end_time).toBeGreaterThan(20);
    await page.waitForURL('/journals');
    await page.getByRole('link', { name: title }).click();
    await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('leisure');
  });

  await test.step('come back without the network', async () => {
    await page.route('**/speech/models/**', (route) => route.abort());
    await page.goto('/upload');
    await expect(wanted).toBeChecked();
    await expect(ready).toBeVisible({ timeout: 60_000 });
  });
});

test('a recording goes on without words, and one that’s left behind keeps its own', async ({
  page,
  watch,
}) => {
  const { wanted, heard } = wordsOf(page);
  await test.step('the network fails', async () => {
    watch.allowConsole(/Failed to load resource.*ERR_FAILED/);
    await page.route('**/speech/models/**', (route) => route.abort());
    await page.goto('/upload');
    await wanted.check();
    await expect(page.getByText('We couldn’t download what’s needed to show your words.')).toBeVisible();
    await record(page);
    await expect(heard).toHaveCount(0);
  });

  await test.step('and is back', async () => {
    await page.unroute('**/speech/models/**');
    await confirmReload(page);
    await button(page, 'Discard').click();
    await recordUntil(page, 'leisure');
    await stopRecording(page);
    await expect(heard).toContainText('You can correct these words after you upload.');
  });

  await test.step('the page is closed too early', async () => {
    await page.reload();
    await expect(page.getByRole('listitem').filter({ hasText: 'leisure' })).toBeVisible();
    await page.getByLabel('Title').fill('Left behind');
    const transcription = await uploadWithWords(page, 'Upload recovered recording');
    expect(transcription).toMatchObject({ status: 'completed', draft: true });
    await page.waitForURL('/journals');
    expect(await findInBrowserStorage(page, ['leisure'])).toEqual([]);
  });
});

test('words that a crash cut off are shown, but not sent', async ({ page }) => {
  const { recovered, missing } = wordsOf(page);
  await recordUntil(page, 'respectable');
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await expect(recovered).toBeVisible();
  await expect(missing).toBeVisible();
  await page.getByLabel('Title').fill('Cut off');
  const drafts = countPosts(page, '/transcription');
  await button(page, 'Upload recovered recording').click();
  await page.waitForURL('/journals');
  expect(drafts()).toBe(0);
});

test('words go up with a recording that crashed after they were said', async ({ page }) => {
  const { recovered, missing } = wordsOf(page);
  await recordUntil(page, 'himself');
  await recordFor(page, 5);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await expect(recovered).toContainText('himself');
  await expect(missing).toHaveCount(0);
  await page.getByLabel('Title').fill('Crashed');
  const transcription = await uploadWithWords(page, 'Upload recovered recording');
  expect(transcription).toMatchObject({ status: 'completed', draft: true });
});

test('words are finished when somebody leaves the studio while they speak', async ({ page }) => {
  const { recovered, missing } = wordsOf(page);
  await page.goto('/journals');
  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await page.waitForURL('/upload');
  await recordUntil(page, 'leisure');
  await page.goBack();
  await button(page, 'Stop and save').click();
  await expect(page.getByRole('heading', { name: 'My Journal Entries' })).toBeVisible();
  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await page.waitForURL('/upload');
  await expect(async () => {
    // As when somebody comes back to the tab.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(recovered).toBeVisible({ timeout: 1000 });
    await expect(missing).toHaveCount(0, { timeout: 1000 });
  }).toPass({ timeout: 30_000 });
  await page.getByLabel('Title').fill('Left');
  const transcription = await uploadWithWords(page, 'Upload recovered recording');
  expect(transcription).toMatchObject({ status: 'completed', draft: true });
});

test('a recording goes on if the device is full, and if the worker fails', async ({ page, app, watch }) => {
  const { wanted, ready, heard } = wordsOf(page);
  const { origin } = new URL(app.url);
  const devTools = await page.context().newCDPSession(page);
  await page.goto('/upload');
  await devTools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 20_000_000 });
  await wanted.check();
  await expect(page.getByText('This device doesn’t have enough space to show your words.')).toBeVisible();
  await devTools.send('Storage.overrideQuotaForOrigin', { origin });
  await wanted.uncheck();
  await wanted.check();
  await expect(ready).toBeVisible({ timeout: 60_000 });
  const isReadyAtOnce = await wanted.evaluate((box: HTMLInputElement) => {
    for (const _ of ['off', 'on']) box.click();
    return document.body.innerText.includes('Ready.');
  });
  expect(isReadyAtOnce).toBe(false);
  await expect(ready).toBeVisible({ timeout: 60_000 });

  await startRecording(page);
  watch.allowConsole(/The worker fails/);
  await page.workers()[0]?.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('The worker fails');
      }),
  );
  await expect(page.getByText('We can’t show your words right now.')).toBeVisible();
  await recordFor(page, 2);
  await stopRecording(page);
  await expect(heard).toHaveCount(0);
});

test('words that follow a phone call keep their times', async ({ page }) => {
  const { durationSeconds } = await spokenClip();
  await page.addInitScript(() => {
    const contexts: AudioContext[] = [];
    const Native = window.AudioContext;
    window.AudioContext = class extends Native {
      constructor(options?: AudioContextOptions) {
        super(options);
        contexts.push(this);
      }
    };
    window.addEventListener('phone', ({ detail }: CustomEventInit<'suspend' | 'resume'>) => {
      for (const context of contexts) if (context.state !== 'closed') void context[detail ?? 'resume']();
    });
  });
  const phone = (detail: string) =>
    page.evaluate((one) => void window.dispatchEvent(new CustomEvent('phone', { detail: one })), detail);
  await recordUntil(page, 'leisure');
  await phone('suspend');
  await recordFor(page, 4);
  await phone('resume');
  await expect(wordsOf(page).captions).toContainText('himself', { timeout: 60_000 });
  await stopRecording(page);
  await page.getByLabel('Title').fill('Interrupted');
  const { words } = await uploadWithWords(page, 'Upload Video');
  expect(words.at(-1).end_time - words[0].start_time).toBeGreaterThan(durationSeconds - 3);
});
