import { getEntry } from '@/lib/journal/entries/contract';
import { createTag } from '@/lib/journal/tags/contract';
import { h264Mp4 } from '@/test/media/clips';
import { expect, test } from '../fixtures';
import { expectAccessible, forEachAppearance } from './axe';
import { countPosts, insertTranscript, toast } from './entry-steps';

test('title and date are edited where they stand, and what is wrong is told and taken back', async ({
  page,
  api,
  upload,
}) => {
  const { id } = await upload(await h264Mp4(), { title: 'A day' });
  await page.goto(`/entry/${id}`);
  const title = page.getByRole('textbox', { name: 'Title' });
  const date = page.getByRole('textbox', { name: 'Date' });
  const posts = countPosts(page, `/entry/${id}`);

  await title.fill('   ');
  await title.press('Enter');
  await expect(toast(page, 'Must have a title.')).toBeVisible();
  await expect(title).toHaveValue('A day');
  for (const wrong of ['2026-03-01', '1/2/2026', '02/30/2026', '']) {
    await date.fill(wrong);
    await date.press('Enter');
    await expect(toast(page, 'Invalid date. Must be in MM/DD/YYYY format.')).toBeVisible();
    await expect(date).toHaveValue('03/01/2026');
  }
  for (const wrong of ['01/01/2999', '01/01/1900']) {
    await date.fill(wrong);
    await date.press('Enter');
    await expect(toast(page, 'Invalid date. Must be in the past 100 years.')).toBeVisible();
    await expect(date).toHaveValue('03/01/2026');
  }
  await title.fill('Never mind');
  await title.press('Escape');
  await expect(title).toHaveValue('A day');
  await title.focus();
  await date.focus();
  expect(posts()).toBe(0);

  await title.fill(' The morning I called Dad ');
  await title.press('Enter');
  await expect(page.getByRole('heading', { name: 'The morning I called Dad' })).toBeAttached();
  await date.fill('02/28/2026');
  await date.press('Enter');
  await expect
    .poll(() => api.call(getEntry, { params: { id } }))
    .toMatchObject({ title: 'The morning I called Dad', date: { day: 28, month: 2, year: 2026 } });
});

test('what is wrong is told again while the notice of before is on its way out', async ({ page, upload }) => {
  const { id } = await upload(await h264Mp4(), { title: 'A day' });
  await page.goto(`/entry/${id}`);
  const title = page.getByRole('textbox', { name: 'Title' });
  const notice = toast(page, 'Must have a title.');
  await title.fill(' ');
  await title.press('Enter');
  const before = await notice.elementHandle();
  await notice.getByRole('button', { name: 'close' }).click();
  await title.fill(' ');
  await title.press('Enter');
  await expect.poll(() => before?.evaluate((element) => element.isConnected)).toBe(false);
  await expect(notice).toBeVisible();
  await title.fill(' ');
  await title.press('Enter');
  await expect(notice).toHaveCount(1);
});

test('a title that could not be saved is taken back', async ({ page, upload, watch }) => {
  watch.allowConsole(/status of 500/);
  const { id } = await upload(await h264Mp4(), { title: 'A day' });
  await page.goto(`/entry/${id}`);
  await page.route(`**/api/v1/entry/${id}`, (route) =>
    route.fulfill({ status: 500, json: { message: 'Out of order.', code: 'internal' } }),
  );
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('Another');
  await title.press('Enter');
  await expect(toast(page, 'Out of order.')).toBeVisible();
  await expect(title).toHaveValue('A day');
});

test('notes are posted, tied to a moment, changed, deleted and brought back', async ({
  page,
  api,
  upload,
}) => {
  const { id } = await upload(await h264Mp4());
  await page.goto(`/entry/${id}?t=1.5`);
  const area = page.getByRole('textbox', { name: 'Additional notes' });
  const post = page.getByRole('button', { name: 'Post Note' });
  const posts = countPosts(page, '/notes');
  const notes = page.getByRole('region', { name: 'Notes' }).getByRole('listitem');
  const kept = async () => (await api.call(getEntry, { params: { id } })).notes;

  await area.fill('  \n ');
  await post.click();
  await area.fill('First <b>thought</b>');
  await post.click();
  await expect(notes).toHaveCount(1);
  await expect(area).toHaveValue('');
  expect(posts()).toBe(1);

  await area.fill('Unsent');
  await page.reload();
  await expect(area).toHaveValue('Unsent');
  await expect
    .poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeCloseTo(1.5, 1);
  await area.fill('About this');
  await page.getByLabel('Attach at').check();
  await post.click();
  await expect(notes.first()).toContainText('About this');
  await expect(notes.nth(1)).toContainText('First <b>thought</b>');
  await expect(notes.first().getByRole('button', { name: 'Play from 0:01' })).toBeVisible();

  await notes.nth(1).getByRole('button', { name: 'Edit note' }).click();
  await page.getByRole('textbox', { name: 'Edit note' }).fill('Second thought');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(notes.nth(1)).toContainText('Second thought');
  await expect
    .poll(async () => (await kept()).map((note) => note.text))
    .toEqual(['About this', 'Second thought']);

  await notes.first().getByRole('button', { name: 'Delete note' }).click();
  await expect(notes).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(notes).toHaveCount(2);
  expect(await kept()).toHaveLength(2);
  await notes.first().getByRole('button', { name: 'Delete note' }).click();
  await page.getByRole('link', { name: 'Journal' }).click();
  await expect.poll(async () => (await kept()).map((note) => note.text)).toEqual(['Second thought']);
});

test('an entry that was deleted comes back while the notice is there', async ({ page, api, upload }) => {
  const { id } = await upload(await h264Mp4(), { title: 'A day to keep' });
  await page.goto(`/entry/${id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL('/journals');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForURL(`/entry/${id}`);
  await expect(page.getByRole('heading', { name: 'A day to keep' })).toBeAttached();
  expect(await api.call(getEntry, { params: { id } })).toMatchObject({ status: 'completed' });
});

test('the entry page is accessible in each of its states and looks', async ({ page, api, upload, sql }) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  await insertTranscript(sql, id);
  for (const name of ['Family', 'Places']) await api.call(createTag, { body: { category_name: name } });
  await forEachAppearance(page, async () => {
    await page.goto(`/entry/${id}`);
    await page.getByRole('combobox', { name: 'Add tag' }).focus();
    await expect(page.getByRole('option', { name: 'Family' })).toBeVisible();
    await expectAccessible(page);
    // On phones the list is over the transcript's buttons.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Find in transcript' }).click();
    await page.getByRole('textbox', { name: 'Find in transcript' }).fill('dan');
    await expect(page.getByRole('listbox')).toBeHidden();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Transcript actions' }).click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Download' }).click();
    // The video, which is stored once, and its transcript in four formats.
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(5);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await expect(page.getByRole('textbox', { name: 'Transcript text' })).toBeFocused();
    await expectAccessible(page);
  });
});

test('everything on the entry page is reached by the Tab key alone, where it can be seen', async ({
  page,
  upload,
  sql,
}) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  await insertTranscript(sql, id);
  await sql`insert into notes (id, entry_id, text, moment_ms) values (gen_random_uuid(), ${id}, 'A note', 1000)`;
  await page.goto(`/entry/${id}`);
  const wanted = [
    'Date',
    'Title',
    'More actions',
    'Time',
    'Play',
    'Back 10 seconds',
    'Forward 10 seconds',
    'Mute',
    'Volume',
    'Captions',
    'Speed',
    'More controls',
    'Full screen',
    'Add tag',
    'Find in transcript',
    'Edit',
    'Transcript actions',
    'Transcript words',
    'Additional notes',
    'Post Note',
    'Play from 0:01',
    'Edit note',
    'Delete note',
  ];
  await page.getByRole('textbox', { name: 'Date' }).focus();
  const met: string[] = [];
  for (let presses = 0; presses < 60 && !met.includes('Delete note'); presses += 1) {
    met.push(
      await page.evaluate(() => {
        const here = document.activeElement as HTMLElement;
        const box = here.getBoundingClientRect();
        const seen = box.width > 0 && box.height > 0 && getComputedStyle(here).outlineStyle !== 'none';
        const label = here.getAttribute('aria-label') ?? (here as HTMLInputElement).labels?.[0]?.textContent;
        return `${seen ? '' : 'unseen '}${label ?? here.textContent}`;
      }),
    );
    await page.keyboard.press('Tab');
  }
  expect(met.filter((name) => wanted.includes(name))).toEqual(wanted);
});
