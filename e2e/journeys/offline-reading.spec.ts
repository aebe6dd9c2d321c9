import type { Page } from '@playwright/test';
import { getEntry } from '@/lib/journal/entries/contract';
import { postNote } from '@/lib/journal/notes/contract';
import { h264Mp4 } from '@/test/media/clips';
import { test as base, expect } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { findInBrowserStorage } from './browser-storage';
import { insertTranscript } from './entry-steps';
import { keep } from './kept-steps';
import { OFFLINE_ERRORS, prepareOffline } from './offline-steps';

const TITLE = 'Evening at the lighthouse';

const test = base.extend<{
  /** The id of an entry with a transcript and a note, which is kept on this device. */ entryId: string;
}>({
  serviceWorkers: 'allow',
  entryId: async ({ page, api, upload, sql, watch }, use) => {
    watch.allowConsole(OFFLINE_ERRORS);
    const { id } = await upload(await h264Mp4(), { title: TITLE, wait: 'transcript' });
    await insertTranscript(sql, id);
    await api.call(postNote, { params: { id }, body: { text: 'Ask Dan about the boat', moment: 1 } });
    await prepareOffline(page);
    await keep(page, id);
    await use(id);
  },
});

const video = (page: Page) => page.locator('video');

test('a kept entry plays without a network, with its words, captions, and notes', async ({
  page,
  context,
  entryId,
}) => {
  await context.setOffline(true);
  await page.goto('/journals');
  await expect(page.getByRole('heading', { name: 'On this device' })).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  await page.getByRole('link', { name: TITLE }).click();
  await expect(page.getByRole('heading', { name: TITLE })).toBeVisible();
  await expect(page.getByRole('listitem').getByText('Ask Dan about the boat')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Note 1 at 0:01: Ask Dan about the boat' })).toBeVisible();
  await page
    .getByRole('button', { name: 'laughed.' })
    .or(page.getByText('laughed.', { exact: true }))
    .first()
    .click();
  await expect
    .poll(() => video(page).evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0.5);
  const cues = () =>
    video(page).evaluate((element: HTMLVideoElement) =>
      [...(element.textTracks[0]?.cues ?? [])].map((cue) => (cue as VTTCue).text).join(' '),
    );
  await page.getByRole('button', { name: /captions/i }).click();
  await expect.poll(cues).toContain('I called Dan');
  await expectAccessibleInEveryAppearance(page);
  await page.goto('/entry/0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90');
  await expect(page.getByRole('heading', { name: 'This entry isn’t on this device.' })).toBeVisible();
  await page.goto('/settings');
  await expect(page.getByRole('listitem').filter({ hasText: TITLE })).toBeVisible();
  expect(entryId).not.toBe('');
});

test('what’s written without a network is in the journal afterwards', async ({
  page,
  context,
  api,
  entryId,
}) => {
  await context.setOffline(true);
  await page.goto(`/entry/${entryId}`);
  await page.getByLabel('Additional notes').fill('The light is on again');
  await page.getByRole('button', { name: 'Post' }).click();
  await expect(page.getByText('Waiting to be sent', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
  await page.getByLabel('Transcript text').fill('I called Ophelia today. Dan laughed.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Your correction is saved on this device.')).toBeVisible();
  // They outlive the page.
  await page.reload();
  await expect(page.getByText('The light is on again')).toBeVisible();
  await expect(page.getByText('Ophelia')).toBeVisible();
  await context.setOffline(false);
  const saved = async () => {
    const { notes, transcription } = await api.call(getEntry, { params: { id: entryId } });
    return [...notes.map(({ text }) => text), transcription.words.map(({ word }) => word).join(' ')];
  };
  await expect
    .poll(saved)
    .toEqual(['The light is on again', 'Ask Dan about the boat', 'I called Ophelia today. Dan laughed.']);
  await expect(page.getByText('Waiting to be sent', { exact: true })).toHaveCount(0);
  // The copy has it, too.
  await context.setOffline(true);
  await page.goto(`/entry/${entryId}`);
  await expect(page.getByText('Ophelia')).toBeVisible();
});

test('logging out leaves nothing to read without a network', async ({ page, context, entryId }) => {
  await page.goto('/settings');
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  await context.setOffline(true);
  for (const path of ['/journals', `/entry/${entryId}`, '/upload', '/settings']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'You’re offline' })).toBeVisible();
    await expect(page.getByText(TITLE)).toHaveCount(0);
  }
  expect(await findInBrowserStorage(page, [TITLE, 'Ophelia', 'boat'])).toEqual([]);
  const cached = await page.evaluate(async () => {
    const texts: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        texts.push(request.url, (await (await cache.match(request))?.text()) ?? '');
    }
    return texts.join('\n');
  });
  for (const own of [TITLE, entryId, 'Ask Dan about the boat']) expect(cached).not.toContain(own);
});
