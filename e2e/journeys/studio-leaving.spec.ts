import type { Page } from '@playwright/test';
import { getEntry, listEntries } from '@/lib/journal/entries/contract';
import { createTag } from '@/lib/journal/tags/contract';
import { expect, test } from '../fixtures';
import { button, record, recordFor, startRecording, stopRecording } from './recording-steps';
import { expectPlays } from './video-assertions';

const asks = (page: Page) => page.getByRole('dialog', { name: 'You’re still recording' });
const offered = (page: Page) => page.getByRole('link', { name: 'A recording isn’t uploaded yet' });

/** Opens the studio from the gallery, so that there's somewhere to go back to. */
async function openFromGallery(page: Page): Promise<void> {
  await page.goto('/journals');
  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await expect(button(page, 'Start Recording')).toBeVisible();
}

test('going back asks during a recording, and saves it first', async ({ page }) => {
  await openFromGallery(page);
  await startRecording(page);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await recordFor(page, 1);
  await page.goBack();
  await expect(asks(page)).toBeVisible();
  await button(page, 'Keep recording').click();
  await expect(asks(page)).toHaveCount(0);
  await recordFor(page, 1);

  await page.goBack();
  await button(page, 'Stop and save').click();
  await page.waitForURL('/journals');
  await offered(page).click();
  await page.waitForURL('/upload');
  await expectPlays(page.getByLabel('Recovered recording'));
  await page.goto('/settings');
  await expect(offered(page)).toBeVisible();
});

test('a link asks during a recording, and then leads where it should', async ({ page }) => {
  await openFromGallery(page);
  await startRecording(page);
  await recordFor(page, 1);
  // Such as one in a notice: the recording layout itself has none.
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = '/settings/tags';
    link.textContent = 'Tags';
    link.style.cssText = 'position:fixed;inset:0 auto auto 0;z-index:99';
    document.body.append(link);
  });
  await page.getByRole('link', { name: 'Tags' }).click();
  await button(page, 'Stop and save').click();
  await page.waitForURL('/settings/tags');
  await expect(offered(page)).toBeVisible();
  // The studio is one step back, as if nothing had asked.
  await page.goBack();
  await page.waitForURL('/upload');
  await page.goBack();
  await page.waitForURL('/journals');
});

test('after a recording, going back takes one step', async ({ page }) => {
  await openFromGallery(page);
  await record(page);
  await page.goBack();
  await page.waitForURL('/journals');
  await expect(offered(page)).toBeVisible();
});

test('discarding can be undone, here and after a new recording', async ({ page, api }) => {
  await page.goto('/upload');
  await record(page);
  await page.getByLabel('Title').fill('Not lost');
  await button(page, 'Discard').click();
  await expect(button(page, 'Start Recording')).toBeVisible();
  await button(page, 'Undo').click();
  await expectPlays(page.getByLabel('Recorded video'));

  await startRecording(page);
  await recordFor(page, 1);
  await stopRecording(page);
  await expect(page.getByText('Your earlier recording was discarded.')).toBeVisible();
  await button(page, 'Undo').click();
  await button(page, 'Upload Video').click();
  await page.waitForURL('/journals');
  await offered(page).click();
  await page.getByLabel('Title').fill('Nor was this');
  await button(page, 'Upload recovered recording').click();
  await page.waitForURL('/journals');
  await expect(offered(page)).toHaveCount(0);
  expect((await api.call(listEntries)).map(({ title }) => title).sort()).toEqual([
    'Nor was this',
    'Not lost',
  ]);
});

/** How many recordings the browser stores. */
const countStored = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('daylight');
        opening.onsuccess = () => {
          const counting = opening.result.transaction('recordings').objectStore('recordings').count();
          counting.onsuccess = () => resolve(counting.result);
        };
      }),
  );

test('a discarded recording is deleted after half a minute', async ({ page }) => {
  await page.clock.install();
  await page.goto('/upload');
  await record(page);
  await button(page, 'Discard').click();
  await expect(button(page, 'Undo')).toBeVisible();
  expect(await countStored(page)).toBe(1);
  await page.clock.runFor(41_000);
  await expect.poll(() => countStored(page)).toBe(0);
});

test('a discarded recording is gone after a reload', async ({ page }) => {
  await page.goto('/upload');
  await record(page);
  await expect(page.getByLabel('Title')).toHaveValue(/^\w+day \w+$/);
  await button(page, 'Discard').click();
  await expect(button(page, 'Undo')).toBeVisible();
  // Suggested for that one only.
  await expect(page.getByLabel('Title')).toHaveValue('');
  await page.reload();
  await expect(button(page, 'Start Recording')).toBeVisible();
  await page.goto('/journals');
  await expect(offered(page)).toHaveCount(0);
});

test('a recording gets its tags, and a title of its time', async ({ page, api }) => {
  await api.call(createTag, { body: { category_name: 'Family' } });
  await page.goto('/upload');
  await record(page);
  await button(page, 'Add tag Family').click();
  await page.getByRole('combobox', { name: 'Add tag' }).fill('Garden');
  await page.getByRole('option', { name: 'Create “Garden”' }).click();
  await expect(page.getByRole('button', { name: 'Remove tag Garden' })).toBeVisible();
  await button(page, 'Upload Video').click();
  await page.waitForURL('/journals');
  const [entry] = await api.call(listEntries);
  expect(entry?.title).toMatch(/^\w+day (morning|afternoon|evening|night)$/);
  const { tags } = await api.call(getEntry, { params: { id: entry?.id ?? '' } });
  expect(tags.map(({ name }) => name)).toEqual(['Family', 'Garden']);
});
