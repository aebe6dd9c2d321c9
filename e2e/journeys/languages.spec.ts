import type { Page } from '@playwright/test';
import { getEntry } from '@/lib/journal/entries/contract';
import { postNote } from '@/lib/journal/notes/contract';
import { h264Mp4 } from '@/test/media/clips';
import { insertEntry, insertTag, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { insertTranscript } from './entry-steps';
import { button, openPlayer, stateOf } from './player-steps';

/** Presses a key with what another keyboard, or an input method, makes of it. */
async function pressRaw(page: Page, key: string, code: string, more: object = {}): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code, ...more });
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, ...more });
  await session.detach();
}

/** What ends a composition in Safari: an Enter that only its old key code tells from others. */
const pressComposingEnter = (page: Page) => pressRaw(page, 'Enter', 'Enter', { windowsVirtualKeyCode: 229 });

const CONTROL = { modifiers: 2 };

test('an input method’s Enter adds no tag, and leaves no search', async ({ page, account, sql, upload }) => {
  await test.step('in the dialog that tags entries', async () => {
    await insertEntry(sql, await userIdOf(sql, account.email));
    await page.goto('/journals');
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Select A day' }).check();
    await page.getByRole('region', { name: 'Selected entries' }).getByRole('button', { name: 'Tag' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tag 1 entry' });
    const field = dialog.getByRole('textbox', { name: 'Find or create a tag' });
    await field.pressSequentially('にほn');
    await pressComposingEnter(page);
    await expect(field).toHaveValue('にほn');
    await field.fill('日本');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('checkbox')).toHaveCount(1);
    await expect(dialog.getByRole('checkbox', { name: '日本' })).toBeChecked();
  });

  await test.step('in the transcript’s search', async () => {
    const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
    await insertTranscript(sql, id);
    await page.goto(`/entry/${id}`);
    await page.getByRole('button', { name: 'Find in transcript' }).click();
    const box = page.getByRole('textbox', { name: 'Find in transcript' });
    await box.fill('Dan');
    await expect(page.getByText('1 of 2')).toBeVisible();
    await pressComposingEnter(page);
    await page.keyboard.press('Enter');
    await expect(page.getByText('2 of 2')).toBeVisible();
  });
});

test('shortcuts work on keyboards with other letters, and are named as they’re pressed', async ({
  page,
  upload,
}) => {
  await page.addInitScript(() => {
    const getLayoutMap = async () =>
      new Map([
        ['KeyK', 'л'],
        ['KeyJ', 'о'],
        ['KeyM', 'ь'],
      ]);
    Object.defineProperty(navigator, 'keyboard', { value: { getLayoutMap } });
  });
  const { id } = await upload(await h264Mp4());
  const video = await openPlayer(page, `/entry/${id}`);
  await expect(button(page, 'Mute')).toHaveAttribute('data-tooltip', 'Mute (Ь)');
  await pressRaw(page, 'ь', 'KeyM');
  await expect.poll(() => stateOf(video)).toMatchObject({ muted: true });
  await pressRaw(page, '?', 'Digit7', { modifiers: 8 });
  await expect(page.getByRole('dialog').getByText('Л or Space', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await pressRaw(page, 'л', 'KeyK', CONTROL);
  await expect(page.getByRole('combobox', { name: 'Search or go to' })).toBeFocused();
});

test('text stands in its own direction, and words name their language', async ({
  page,
  account,
  sql,
  upload,
  api,
}) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript', title: 'שלום, עולם.' });
  await insertTranscript(sql, id, [
    ['אמא', 0.2, 0.6],
    ['באה.', 0.6, 1],
  ]);
  await sql`update entries set language = 'he' where id = ${id}`;
  await api.call(postNote, { params: { id }, body: { text: 'פתק ראשון.' } });
  await insertTag(sql, await userIdOf(sql, account.email), 'משפחה!', [id]);
  const directionOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).direction);
  await page.goto(`/entry/${id}`);
  await expect(page.getByText('פתק ראשון.')).toBeVisible();
  for (const selector of [
    'textarea[aria-label="Title"]',
    'p:has-text("פתק ראשון")',
    '.transcript-paragraph > p',
    'span:text-is("משפחה!")',
  ])
    expect(await directionOf(selector), selector).toBe('rtl');
  expect(await directionOf('main')).toBe('ltr');
  for (const path of ['/journals', '/search?query=שלום']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'שלום, עולם.' })).toBeVisible();
    expect(await directionOf('h2:has-text("שלום"), h3:has-text("שלום")'), path).toBe('rtl');
  }

  for (const path of [`/entry/${id}`, '/search?query=אמא', '/journals/timeline']) {
    await page.goto(path);
    await expect(page.locator('[lang=he]').filter({ hasText: 'באה.' }), path).toHaveText('אמא באה.');
  }
});

test('an entry opens from its card, whatever its title', async ({ page, account, sql }) => {
  const id = await insertEntry(sql, await userIdOf(sql, account.email), { title: '..' });
  await page.goto('/journals');
  await page.getByRole('link', { name: '..', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('..');
  await expect(page).toHaveURL(`/entry/${id}`);
});

test('a line that’s pasted from a presentation is a note of two lines', async ({ page, api, upload }) => {
  const { id } = await upload(await h264Mp4());
  await page.goto(`/entry/${id}`);
  await page.getByRole('textbox', { name: 'Additional notes' }).fill('One\u000btwo');
  await page.getByRole('button', { name: 'Post Note' }).click();
  await expect(page.getByText('One\ntwo')).toBeVisible();
  const notes = async () => (await api.call(getEntry, { params: { id } })).notes.map(({ text }) => text);
  await expect.poll(notes).toEqual(['One\ntwo']);
});

const LONG = {
  German: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
  Vietnamese: 'Những buổi sáng ở Đà Nẵng, khi trời còn rất sớm và biển lặng',
  Thai: 'วันนี้อากาศดีมากเราเลยไปเดินเล่นที่ชายหาดกับครอบครัวจนถึงเย็น',
  Hindi: 'आज हम सब मिलकर पहाड़ों की यात्रा पर निकले और बहुत आनंद आया',
  Japanese: '今日は家族みんなで海辺の小さな町までゆっくり電車に乗って出かけました',
};

test('words that are long, and scripts with high marks, fit on a narrow phone', async ({
  page,
  account,
  sql,
  upload,
  api,
}) => {
  await page.setViewportSize({ width: 320, height: 720 });
  const userId = await userIdOf(sql, account.email);
  const { id } = await upload(await h264Mp4(), { wait: 'transcript', title: LONG.German });
  await insertTranscript(
    sql,
    id,
    Object.values(LONG).map((word, index) => [word, index / 4, (index + 1) / 4]),
  );
  await api.call(postNote, { params: { id }, body: { text: Object.values(LONG).join('\n'), moment: 1 } });
  for (const [index, title] of Object.values(LONG).entries()) {
    const entry = await insertEntry(sql, userId, { title, date: `2026-03-0${index + 1}` });
    await insertTag(sql, userId, [...title].slice(0, 50).join(''), [id, entry]);
  }
  for (const path of [
    `/entry/${id}`,
    '/journals',
    '/journals/timeline',
    '/journals?view=calendar&month=2026-03',
    `/search?query=${LONG.German}`,
    '/settings/tags',
  ]) {
    await page.goto(path);
    await expect(
      page.getByText(LONG.German.slice(0, 20)).or(page.getByRole('article').first()).first(),
    ).toBeAttached();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
    const cut = await page.evaluate(() => {
      const isCut = (element: Element) => {
        const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element);
        const isMeant = textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || overflowX === 'auto';
        const isText = element.textContent?.trim() !== '';
        const isClipped = overflowX === 'hidden' || overflowY === 'hidden' || overflowX === 'clip';
        return (
          isText &&
          !isMeant &&
          isClipped &&
          element.scrollWidth > element.clientWidth + 1 &&
          element.clientWidth > 1
        );
      };
      return [...document.querySelectorAll('main *')]
        .filter(isCut)
        .map((element) => element.outerHTML.slice(0, 120));
    });
    expect(cut, path).toEqual([]);
  }
});
