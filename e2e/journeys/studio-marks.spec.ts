import type { Page } from '@playwright/test';
import type { Client } from '@/e2e/client';
import { getEntry, listEntries } from '@/lib/journal/entries/contract';
import { expect, test } from '../fixtures';
import {
  button,
  confirmReload,
  recordFor,
  savedHere,
  startRecording,
  stopRecording,
} from './recording-steps';

const marks = (page: Page) => page.getByRole('region', { name: 'Marks' });

/** Records a few seconds, and marks two of them: by the key, and by a press. */
async function recordWithMarks(page: Page): Promise<void> {
  await page.goto('/upload');
  await startRecording(page);
  await recordFor(page, 1);
  await page.keyboard.press('m');
  await expect(page.getByRole('status').getByText(/^Marked 0:0\d$/)).toBeVisible();
  await recordFor(page, 2);
  await button(page, 'Mark').click();
  await recordFor(page, 1);
}

/** The notes of the only entry, in the order of their moments. */
async function notesOf(api: Client) {
  const [entry] = await api.call(listEntries);
  const { notes } = await api.call(getEntry, { params: { id: entry?.id ?? '' } });
  return notes.toSorted((one, other) => (one.moment ?? 0) - (other.moment ?? 0));
}

test('marks become notes at their second, with a word that’s added after Stop', async ({ page, api }) => {
  await recordWithMarks(page);
  await stopRecording(page);
  await expect(marks(page).getByRole('textbox')).toHaveCount(2);
  await marks(page).getByRole('textbox').nth(1).fill('The bell');
  await button(page, 'Upload Video').click();
  await page.waitForURL('/journals');
  const [first, second] = await notesOf(api);
  expect([first?.text, second?.text]).toEqual(['Marked while recording', 'The bell']);
  expect(first?.moment).toBeGreaterThan(0.5);
  expect((second?.moment ?? 0) - (first?.moment ?? 0)).toBeGreaterThan(1.5);
});

test('marks, and their words, come back after a reload', async ({ page, api }) => {
  await recordWithMarks(page);
  await stopRecording(page);
  await marks(page).getByRole('textbox').first().fill('The dog');
  await marks(page)
    .getByRole('button', { name: /^Remove mark/ })
    .nth(1)
    .click();
  await expect(marks(page)).toBeFocused();
  await confirmReload(page);
  await page.getByLabel('Title').fill('Later');
  await button(page, 'Upload recovered recording').click();
  await page.waitForURL('/journals');
  expect((await notesOf(api)).map(({ text }) => text)).toEqual(['The dog']);
});

test('marks come back when the page goes during a recording', async ({ page, api }) => {
  await recordWithMarks(page);
  await confirmReload(page);
  await expect(savedHere(page)).toBeVisible();
  await page.getByLabel('Title').fill('Cut short');
  await button(page, 'Upload recovered recording').click();
  await page.waitForURL('/journals');
  expect((await notesOf(api)).map(({ text }) => text)).toEqual([
    'Marked while recording',
    'Marked while recording',
  ]);
});
