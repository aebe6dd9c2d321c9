import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import { type ArchiveEntryFixture, HOSTILE, writeArchive } from '@/test/archive-fixture';
import { h264Mp4 } from '@/test/media/clips';
import { expectAccessible, forEachAppearance } from './journeys/axe';

const TAGS = [
  { id: 'family', name: 'Family', color: '#AA3300' },
  { id: 'hostile', name: HOSTILE, color: 'url(http://127.0.0.1/color)' },
];
const ENTRIES: ArchiveEntryFixture[] = [
  { id: 'sea', date: '2025-12-31', title: 'By the sea', words: ['We', 'walked', 'until', 'dark.'] },
  {
    id: 'dad',
    date: '2026-11-18',
    title: 'Calling Dad',
    tags: ['family'],
    words: ['Today', 'I', 'finally', 'called', 'Dad.'],
    notes: [{ text: 'He laughed.', moment: 1 }],
  },
  {
    id: 'hostile',
    date: '2026-11-25',
    title: HOSTILE,
    video: `2026/${HOSTILE.replaceAll('/', '_')}.mp4`,
    tags: ['hostile'],
    words: HOSTILE.split(' '),
    notes: [{ text: HOSTILE, moment: null }],
  },
  { id: 'lost', date: '2026-11-28', title: 'Deleted later', video: '2026/deleted.mp4' },
];

interface Fixtures {
  /** An archive on the disk, of which the last entry's video has been deleted. */
  archive: string;
  /** A page without a network. Fails the test if it asks for anything that's not on the disk, or reports an error. */
  page: Page;
}

const test = base.extend<Fixtures>({
  archive: async ({}, use) => {
    const folder = await writeArchive(ENTRIES, TAGS, await h264Mp4());
    await rm(join(folder, '2026/deleted.mp4'));
    await use(folder);
    await rm(folder, { recursive: true });
  },
  page: async ({ page, context, archive }, use) => {
    const problems: string[] = [];
    await context.setOffline(true);
    page.on('request', (request) => /^(file|data):/.test(request.url()) || problems.push(request.url()));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      // The file that's gone, and axe, which reads style sheets.
      const expected = /ERR_FILE_NOT_FOUND|^Connecting to 'file:/.test(message.text());
      if (message.type() === 'error' && !expected) problems.push(message.text());
    });
    await page.goto(pathToFileURL(join(archive, 'index.html')).href);
    await use(page);
    expect(problems).toEqual([]);
  },
});

const playing = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => (video.paused ? null : video.currentTime));

test('plays from a disk: words, notes, and search results lead to their moment', async ({ page }) => {
  await expect(page.getByRole('status')).toHaveText('4 entries');
  await page.getByRole('link', { name: 'Calling Dad' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Calling Dad');
  await page.getByText('called', { exact: true }).click();
  await expect.poll(() => playing(page)).toBeGreaterThanOrEqual(1.5);
  await expect(page.locator('.now')).toHaveText(/^(called|Dad\.)$/);
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause());
  await page.getByRole('button', { name: 'Play from 0:01' }).last().click();
  await expect.poll(() => playing(page)).toBeGreaterThanOrEqual(1);

  await page.getByRole('link', { name: 'Earlier By the sea' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('By the sea');
  await page.keyboard.press('/');
  await page.keyboard.type('"finally called"\n');
  await expect(page.getByRole('status')).toHaveText('1 entry');
  await expect(page.locator('mark')).toHaveText(['finally called']);
  await page.getByRole('link', { name: 'Play from 0:01' }).click();
  await expect.poll(() => playing(page)).toBeGreaterThanOrEqual(1);
  await page.goBack();
  await page.getByRole('searchbox').fill('he laughed -sea');
  await expect(page.getByRole('link', { name: 'Calling Dad' })).toBeVisible();
});

test('shows a calendar for the keyboard, filters, and says what’s missing', async ({ page }) => {
  await page.getByRole('link', { name: 'Calendar' }).click();
  await page.getByRole('link', { name: 'November 28: Deleted later' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('link', { name: 'November 18: Calling Dad' })).toBeFocused();
  await page.getByLabel('Year').selectOption('2025');
  await page.getByRole('link', { name: 'December', exact: true }).click();
  await page.getByRole('link', { name: 'By the sea' }).click();
  await expect(page.getByText('walked', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Journal' }).click();
  await page.getByLabel('Tag').selectOption('Family');
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByLabel('Tag').selectOption('');
  await page.getByRole('link', { name: 'Deleted later' }).click();
  await expect(page.getByRole('alert')).toContainText('2026/deleted.mp4');
});

test('shows hostile text as text, and is accessible in both themes', async ({ page }) => {
  const index = page.url();
  for (const address of ['#/', '#/search?query=img', '#/journals?view=calendar&month=2026-11']) {
    await page.goto(index + address);
    await expect(page.getByRole('link', { name: HOSTILE }).first()).toBeVisible();
    await page.setViewportSize({ width: 320, height: 800 });
    await expectAccessible(page);
  }
  await page.goto(`${index}#/journals?view=calendar`);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.goto(`${index}#/entry/hostile`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(HOSTILE);
  const words = page.getByRole('group', { name: 'Transcript words' });
  await expect(words.locator('[lang=en]').first()).toBeVisible();
  await forEachAppearance(page, () => expectAccessible(page));
  await page.locator('.transcript-paragraph span').first().click();
  await expect.poll(() => playing(page)).toBeGreaterThan(0);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
});
