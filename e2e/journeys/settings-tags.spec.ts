import { getEntry, listTrash, removeEntry } from '@/lib/journal/entries/contract';
import { createTag, listTags, setEntryTags, updateTags } from '@/lib/journal/tags/contract';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessible, forEachAppearance } from './axe';
import { pauseRequests } from './pause-requests';

test('tags are added, changed together by Sync, and removed', async ({ page, account, api, sql, watch }) => {
  watch.allowConsole(/status of 409/);
  await page.goto('/settings/tags');
  const add = page.getByRole('button', { name: 'Add Tag' });
  const name = page.getByPlaceholder('Tag name...');
  const rows = page.getByRole('row').filter({ has: page.getByRole('textbox') });
  const sync = page.getByRole('button', { name: 'Sync' });
  const all = async () => (await api.call(listTags)).categories.map((tag) => `${tag.name} ${tag.color}`);

  await name.fill('   ');
  await add.click();
  await name.fill('Family');
  await page.getByRole('textbox', { name: 'New tag color', exact: true }).fill('E07A5F');
  await add.click();
  await expect(rows).toHaveCount(1);
  await name.fill('Places');
  await name.press('Enter');
  await expect(rows).toHaveCount(2);
  expect(await all()).toEqual(['Family #E07A5F', 'Places #FFFFFF']);
  await expect(sync).toHaveCount(0);
  for (const title of ['Look', 'Title', 'Background Color']) {
    await expect(page.getByRole('columnheader', { name: title })).toBeVisible();
  }

  await name.fill('FAMILY');
  await add.click();
  await expect(page.getByRole('alert').filter({ hasText: 'already have a tag' })).toBeVisible();

  const color = page.getByRole('textbox', { name: 'Background color of Places', exact: true });
  await color.fill('#12345');
  await expect(sync).toHaveCount(0);
  await color.press('Tab');
  await expect(color).toHaveValue('#FFFFFF');
  await color.fill('#zz1234xy56');
  await expect(color).toHaveValue('#123456');
  await expect(rows.nth(1)).toHaveAttribute('data-edited');
  await expect(rows.nth(0)).not.toHaveAttribute('data-edited');

  await page.getByRole('textbox', { name: 'Title of Places' }).fill('family');
  await expect(page.getByText('Two tags can’t have the same name.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Title of Places' }).fill('Journeys');
  await expect(page.getByText('1 unsaved change')).toBeVisible();
  expect(await all()).toEqual(['Family #E07A5F', 'Places #FFFFFF']);
  await sync.click();
  await expect(sync).toHaveCount(0);
  await expect(page.locator('[data-edited]')).toHaveCount(0);
  expect(await all()).toEqual(['Family #E07A5F', 'Journeys #123456']);

  const id = await insertEntry(sql, await userIdOf(sql, account.email));
  const [family] = (await api.call(listTags)).categories;
  await api.call(setEntryTags, { params: { id }, body: { categories: [family?.id] } });
  await page.getByRole('button', { name: 'Remove Family' }).click();
  await expect(rows).toHaveCount(1);
  expect((await api.call(getEntry, { params: { id } })).tags).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows).toHaveCount(2);
  expect((await api.call(getEntry, { params: { id } })).tags).toEqual([family]);
});

test('a color is chosen from the palette by mouse and by keyboard', async ({ page, api }) => {
  await page.goto('/settings/tags');
  await page.getByPlaceholder('Tag name...').fill('Family');
  const choose = page.getByRole('button', { name: 'Choose New tag color' });
  await choose.click();
  await expect(page.getByRole('radio', { name: 'White' })).toBeChecked();
  await page.getByTitle('Fern').click();
  await expect(page.getByRole('textbox', { name: 'New tag color', exact: true })).toHaveValue('#367646');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Moss' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(choose).toBeFocused();
  await page.getByRole('button', { name: 'Add Tag' }).click();
  await expect(page.getByRole('textbox', { name: 'Title of Family' })).toBeVisible();
  expect((await api.call(listTags)).categories).toMatchObject([{ name: 'Family', color: '#616D27' }]);
});

test('a row of tags is one line on a tablet, and nothing overflows on a phone', async ({ page, api }) => {
  await api.call(createTag, { body: { category_name: 'Family' } });
  await api.call(createTag, { body: { category_name: 'M'.repeat(50) } });
  for (const [width, lines] of [
    [768, 2],
    [320, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/settings/tags');
    const row = page.getByRole('row').filter({ has: page.getByRole('textbox', { name: 'Title of Family' }) });
    const box = await row.boundingBox();
    expect(box?.height, `${width} px`).toBeLessThan(lines * 52 + 24);
    await page.getByRole('button', { name: 'Choose Background color of Family' }).click();
    await expect(page.getByTitle('Stone').filter({ visible: true })).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('Another color').filter({ visible: true })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test('a rename that clashes with a tag made elsewhere is told, and stays to be mended', async ({
  page,
  api,
  watch,
}) => {
  watch.allowConsole(/status of 409/);
  const tag = await api.call(createTag, { body: { category_name: 'Family' } });
  await page.goto('/settings/tags');
  await page.getByRole('textbox', { name: 'Title of Family' }).fill('Work');
  const other = await api.call(createTag, { body: { category_name: 'work' } });
  await page.getByRole('button', { name: 'Sync' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'same name' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Title of Family' })).toHaveValue('Work');
  await api.call(updateTags, { body: { categories: [{ ...other, name: 'Play' }] } });
  await page.getByRole('button', { name: 'Sync' }).click();
  await expect(page.getByRole('button', { name: 'Sync' })).toHaveCount(0);
  expect((await api.call(listTags)).categories).toContainEqual({ ...tag, name: 'Work' });
});

test('what is typed while other changes are saved stays', async ({ page, api }) => {
  for (const name of ['Family', 'Work']) await api.call(createTag, { body: { category_name: name } });
  await page.goto('/settings/tags');
  const release = await pauseRequests(page, '**/api/v1/bulk/category');
  const sync = page.getByRole('button', { name: 'Sync' });
  await page.getByRole('textbox', { name: 'Title of Family' }).fill('Home');
  await sync.click();
  await page.getByRole('textbox', { name: 'Title of Work' }).fill('Play');
  release();
  await expect(page.getByText('1 unsaved change', { exact: true })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Title of Work' })).toHaveValue('Play');
  await sync.click();
  await expect(sync).toHaveCount(0);
  expect((await api.call(listTags)).categories.map((tag) => tag.name)).toEqual(['Home', 'Play']);
});

test('two tags of one name become one, when that is wanted', async ({ page, account, api, sql }) => {
  const [family] = [
    await api.call(createTag, { body: { category_name: 'Family', category_color: '#E07A5F' } }),
    await api.call(createTag, { body: { category_name: 'Relatives' } }),
  ];
  const relatives = (await api.call(listTags)).categories.find((tag) => tag.name === 'Relatives');
  const id = await insertEntry(sql, await userIdOf(sql, account.email));
  await api.call(setEntryTags, { params: { id }, body: { categories: [relatives?.id] } });
  await page.goto('/settings/tags');
  await page.getByRole('textbox', { name: 'Title of Relatives' }).fill('family');
  await page.getByRole('button', { name: 'Merge tags' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge these tags?' });
  await expect(dialog).toContainText('Every entry tagged “Relatives” will be tagged “Family” instead');
  await dialog.getByRole('button', { name: 'Merge' }).click();
  // What is behind an open dialog has no role: without this, the absences below prove nothing.
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Title of Relatives' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Sync' })).toHaveCount(0);
  expect((await api.call(listTags)).categories).toEqual([family]);
  expect((await api.call(getEntry, { params: { id } })).tags).toEqual([family]);
});

test('entries in the trash are restored or deleted forever', async ({ page, account, api, sql }) => {
  const userId = await userIdOf(sql, account.email);
  const [kept, gone] = [
    await insertEntry(sql, userId, { title: 'Kept' }),
    await insertEntry(sql, userId, { title: 'Gone' }),
  ];
  for (const id of [kept, gone]) await api.call(removeEntry, { params: { id } });
  await page.goto('/settings/trash');
  await page.getByRole('button', { name: 'Restore Kept' }).click();
  await expect(page.getByText('“Kept” is back in your journal.')).toBeVisible();
  expect((await api.call(getEntry, { params: { id: kept } })).title).toBe('Kept');

  await page.getByRole('button', { name: 'Delete forever Gone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete forever?' });
  await expect(dialog).toContainText('Gone');
  await dialog.getByRole('button', { name: 'Delete forever' }).click();
  await expect(page.getByText('The trash is empty.')).toBeVisible();
  expect(await api.call(listTrash)).toEqual([]);
});

test('what does not fit the plan stays in the trash', async ({ page, account, api, sql, watch }) => {
  watch.allowConsole(/status of 403/);
  const userId = await userIdOf(sql, account.email);
  const id = await insertEntry(sql, userId, { title: 'Waiting' });
  await api.call(removeEntry, { params: { id } });
  for (let n = 0; n < 30; n += 1) await insertEntry(sql, userId);
  await page.goto('/settings/trash');
  await page.getByRole('button', { name: 'Restore Waiting' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: "You have reached your plan's quota." }),
  ).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Waiting' })).toBeVisible();
});

test('the tabs for tags and for the trash are accessible in every look', async ({
  page,
  account,
  api,
  sql,
}) => {
  const userId = await userIdOf(sql, account.email);
  for (const [category_name, category_color] of [
    ['Family', '#E07A5F'],
    ['M'.repeat(50), '#112233'],
  ]) {
    await api.call(createTag, { body: { category_name, category_color } });
  }
  const id = await insertEntry(sql, userId, { title: 'Sun'.repeat(60) });
  await api.call(removeEntry, { params: { id } });
  await forEachAppearance(page, async () => {
    await page.goto('/settings/tags');
    await page.getByRole('textbox', { name: 'Title of Family' }).fill('Relatives');
    await expect(page.getByRole('button', { name: 'Sync' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Title of Family' }).fill('M'.repeat(50));
    await expect(page.getByRole('button', { name: 'Merge tags' })).toBeVisible();
    await expectAccessible(page);
    await page.goto('/settings/trash');
    await expect(page.getByRole('button', { name: /^Restore/ })).toBeVisible();
    await expectAccessible(page);
  });
});
