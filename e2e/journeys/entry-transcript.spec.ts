import type { Page } from '@playwright/test';
import { getEntry } from '@/lib/journal/entries/contract';
import { saveTranscription } from '@/lib/journal/transcripts/contract';
import { h264Mp4 } from '@/test/media/clips';
import type { Client } from '../client';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { countPosts, insertTranscript, WORDS } from './entry-steps';

test.describe('the transcript', () => {
  let id = '';
  test.beforeEach(async ({ page, upload, sql }) => {
    ({ id } = await upload(await h264Mp4(), { wait: 'transcript' }));
    await insertTranscript(sql, id);
    await page.goto(`/entry/${id}`);
  });

  const area = (page: Page) => page.getByRole('textbox', { name: 'Transcript text' });
  const edit = (page: Page) => page.getByRole('button', { name: 'Edit', exact: true });
  const save = (page: Page) => page.getByRole('button', { name: 'Save' });
  const words = (page: Page) => page.getByRole('group', { name: 'Transcript words' });
  const open = async (page: Page, item: string) => {
    await page.getByRole('button', { name: 'Transcript actions' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  test('is corrected as a text, and words that were left keep their times', async ({ page, api }) => {
    const posts = countPosts(page, '/transcription');
    await expect(page.getByText('Rough draft')).toBeVisible();
    await expect(page.getByText('English')).toBeVisible();
    await expect(words(page).locator('p').first()).toHaveAttribute('lang', 'en');
    await edit(page).click();
    await expect(area(page)).toBeFocused();
    await expect(area(page)).toHaveValue('I called Dan today. Dan laughed.');
    await save(page).click();
    await expect(words(page)).toBeVisible();
    expect(posts()).toBe(0);

    await edit(page).click();
    await area(page).fill('Well, I called Dad today. Dad laughed.');
    await save(page).click();
    await expect(words(page)).toContainText('Dad laughed.');
    await expect(edit(page)).toBeFocused();
    await expect(page.getByText('Rough draft')).toHaveCount(0);
    const { transcription } = await api.call(getEntry, { params: { id } });
    const kept = transcription.words.map(({ word, start_time, end_time }) => [word, start_time, end_time]);
    expect(kept.slice(1)).toEqual(
      WORDS.map(([word, start, end]) => [word === 'Dan' ? 'Dad' : word, start, end]),
    );
    expect(kept[0]?.[0]).toBe('Well,');
    expect(posts()).toBe(1);
  });

  test('survives a reload with its unsaved corrections', async ({ page }) => {
    await edit(page).click();
    await area(page).fill('I called Dad');
    await page.reload();
    await expect(area(page)).toHaveValue('I called Dad');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(words(page)).toContainText('Dan laughed.');
    await page.reload();
    await expect(words(page)).toContainText('Dan laughed.');
    await expect(area(page)).toHaveCount(0);
  });

  const saveElsewhere = (api: Client, text: string) =>
    api.call(saveTranscription, {
      params: { id },
      body: {
        transcription: {
          words: text.split(' ').map((word, index) => {
            const [, startTime = 0, endTime = 0] = WORDS[index] ?? [];
            return { word, startTime, endTime };
          }),
        },
      },
    });

  test('has what was saved last where the same words were changed elsewhere, and both versions in its history', async ({
    page,
    api,
    watch,
  }) => {
    watch.allowConsole(/status of 409/);
    const notice = page.getByText('Changed on two devices. Both versions are in History.', { exact: true });
    await edit(page).click();
    await area(page).fill('Mine called Dan today.');
    await saveElsewhere(api, 'Theirs');
    await save(page).click();
    await expect(words(page)).toHaveText(/Mine called Dan today\.\s*$/);
    await expect(page.getByRole('status').and(notice)).toBeVisible();
    await expectAccessibleInEveryAppearance(page);
    await page.reload();
    await page.getByRole('button', { name: 'Open history' }).click();
    const history = page.getByRole('dialog');
    await expect(history.getByRole('listitem')).toHaveCount(3);
    await history.getByRole('button', { name: 'Read Correction 1' }).click();
    await expect(history).toContainText('Theirs');
    await history.getByRole('button', { name: 'Restore Original transcript' }).click();
    await expect(history).toHaveCount(0);
    await expect(words(page)).toContainText('Dan laughed.');
    await expect(notice).toHaveCount(0);
  });

  test('is merged with other words that were changed elsewhere, even before a reload', async ({
    page,
    api,
    watch,
  }) => {
    watch.allowConsole(/status of 409/);
    await edit(page).click();
    await area(page).fill('I called Dad today. Dan laughed.');
    await saveElsewhere(api, 'You called Dan today. Dan laughed.');
    await page.reload();
    await save(page).click();
    await expect(words(page)).toHaveText(/You called Dad today\. Dan laughed\.\s*$/);
    await expect(page.getByRole('button', { name: 'Open history' })).toHaveCount(0);
  });

  test('is searched, with the next match by n and the one before by N', async ({ page }) => {
    await page.getByRole('button', { name: 'Find in transcript' }).click();
    const box = page.getByRole('textbox', { name: 'Find in transcript' });
    await expect(box).toBeFocused();
    await box.fill('dan');
    const shown = words(page).locator('span.shown');
    const place = () =>
      words(page)
        .locator('p > span')
        .evaluateAll((all) => all.findIndex((one) => one.classList.contains('shown')));
    await expect(page.getByText('1 of 2')).toBeVisible();
    expect(await place()).toBe(2);
    await box.press('Enter');
    await expect(page.getByText('2 of 2')).toBeVisible();
    expect(await place()).toBe(4);
    await words(page).focus();
    await words(page).press('n');
    await expect(page.getByText('1 of 2')).toBeVisible();
    await words(page).press('N');
    await expect(page.getByText('2 of 2')).toBeVisible();
    await box.fill('today. Dan');
    await expect(shown).toHaveText(['today.', 'Dan']);
    await box.fill('elsewhere');
    await expect(page.getByText('Not found')).toBeVisible();
    await box.press('Escape');
    await expect(box).toHaveCount(0);
    await expect(words(page).locator('.match')).toHaveCount(0);
  });

  test('is read as plain text', async ({ page }) => {
    await open(page, 'Plain text');
    await expect(page.getByRole('region', { name: 'Plain text' })).toHaveText(
      'I called Dan today. Dan laughed.',
    );
  });

  test('is captions for the player, which single keys steer', async ({ page }) => {
    const video = page.locator('video');
    const state = () =>
      video.evaluate((element: HTMLVideoElement) => ({
        time: element.currentTime,
        paused: element.paused,
        captions: element.textTracks[0]?.mode,
        cues: element.textTracks[0]?.cues?.length,
      }));
    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState))
      .toBeGreaterThan(0);
    await page.keyboard.press('c');
    await expect.poll(state).toMatchObject({ captions: 'showing', cues: 1 });
    await expect(page.getByRole('button', { name: 'Captions' })).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('l');
    const end = await video.evaluate((element: HTMLVideoElement) => element.duration);
    await expect.poll(async () => (await state()).time).toBeCloseTo(Math.min(10, end), 1);
    await page.keyboard.press('j');
    await expect.poll(async () => (await state()).time).toBe(0);
    await page.keyboard.press('.');
    await expect.poll(async () => (await state()).time).toBeCloseTo(1 / 30, 2);
    await page.keyboard.press('k');
    await expect.poll(state).toMatchObject({ paused: false });
    await page.keyboard.press(' ');
    await expect.poll(state).toMatchObject({ paused: true });

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByLabel('Use keyboard shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await expect(help).toHaveCount(0);
    for (const key of ['c', 'r', '/']) await page.keyboard.press(key);
    await page.getByLabel('Speed').selectOption('1.5');
    expect(await video.evaluate((element: HTMLVideoElement) => element.playbackRate)).toBe(1.5);
    expect(await state()).toMatchObject({ captions: 'showing' });

    await page.getByRole('slider', { name: 'Time' }).focus();
    await page.keyboard.press('?');
    await help.getByLabel('Use keyboard shortcuts').check();
    await page.keyboard.press('Escape');
    await expect(help).toHaveCount(0);
    await page.keyboard.press('r');
    await expect(page).toHaveURL('/upload');
  });
});

test('what the machine was not sure of is marked gently, until it is corrected', async ({
  page,
  upload,
  sql,
}) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  const words = WORDS.map((word, index) => [...word, index === 2 ? 0.1 : 0.9]);
  await sql`insert into transcripts (entry_id, revision, words) values (${id}, 0, ${JSON.stringify(words)}::text::jsonb)`;
  await sql`update entries set transcript_status = 'completed' where id = ${id}`;
  await page.goto(`/entry/${id}`);
  const unsure = page.getByTitle('May be misheard');
  const line = () => unsure.evaluate((word) => getComputedStyle(word).textDecorationLine);
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Transcript actions' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await expect(unsure).toHaveText('Dan');
  expect(await line()).toBe('underline');
  await choose('Hide unsure words');
  await expect.poll(line).toBe('none');
  await page.reload();
  await expect.poll(line).toBe('none');
  await choose('Mark unsure words');
  await expect.poll(line).toBe('underline');

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const area = page.getByRole('textbox', { name: 'Transcript text' });
  await area.fill((await area.inputValue()).replace('Dan', 'Dad'));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('group', { name: 'Transcript words' })).toContainText('called Dad');
  await expect(unsure).toHaveCount(0);
});

test('a transcript that could not be made is written by hand', async ({ page, upload, sql, api }) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  await sql`update entries set transcript_status = 'failed', transcript_error = 'Nobody listened.' where id = ${id}`;
  await page.goto(`/entry/${id}`);
  await page.getByRole('button', { name: 'Write transcript' }).click();
  await page.getByRole('textbox', { name: 'Transcript text' }).fill('Written by hand');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('group', { name: 'Transcript words' })).toContainText('by hand');
  expect((await api.call(getEntry, { params: { id } })).transcription).toMatchObject({
    status: 'completed',
    revision: 1,
  });
});
