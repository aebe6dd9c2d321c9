import type { Locator } from '@playwright/test';
import { getEntry } from '@/lib/journal/entries/contract';
import { createTag, setEntryTags } from '@/lib/journal/tags/contract';
import { h264Mp4 } from '@/test/media/clips';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { insertTranscript, toast } from './entry-steps';

test('tags are found by a part of their name, made, added and removed by the keyboard', async ({
  page,
  api,
  upload,
}) => {
  const { id } = await upload(await h264Mp4());
  await api.call(createTag, { body: { category_name: 'Family', category_color: '#E07A5F' } });
  await api.call(createTag, { body: { category_name: 'Places' } });
  await page.goto(`/entry/${id}`);
  const picker = page.getByRole('combobox', { name: 'Add tag' });
  const options = page.getByRole('listbox').getByRole('option');
  const tagsNow = async () => (await api.call(getEntry, { params: { id } })).tags.map(({ name }) => name);

  await picker.focus();
  await expect(options).toHaveText(['Family', 'Places']);
  await picker.fill('AMI');
  await expect(options).toHaveText(['Family', 'Create “AMI”']);
  await picker.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await picker.press('Enter');
  await expect.poll(tagsNow).toEqual(['Family']);
  await expect(picker).toHaveValue('');

  await picker.press('ArrowDown');
  await expect(options).toHaveText(['Places']);
  await picker.press('Escape');
  await expect(options).toHaveCount(0);

  await picker.fill('family');
  await expect(options).toHaveCount(0);
  await picker.fill('Dad');
  await expect(options).toHaveText(['Create “Dad”']);
  await picker.press('Enter');
  await expect.poll(tagsNow).toEqual(['Dad', 'Family']);
  const colors = page.getByRole('group', { name: 'Color of Dad' });
  await colors.getByRole('button', { name: 'Teal' }).click();
  await expect(colors.getByRole('button', { name: 'Teal' })).toHaveAttribute('aria-pressed', 'true');
  await expect
    .poll(async () => (await api.call(getEntry, { params: { id } })).tags)
    .toContainEqual(expect.objectContaining({ name: 'Dad', color: '#0A747D' }));
  await expectAccessibleInEveryAppearance(page);
  await colors.getByRole('button', { name: 'Done choosing a color' }).click();
  await expect(colors).toHaveCount(0);
  await expect(picker).toBeFocused();
  await page.getByRole('button', { name: 'Remove tag Dad' }).press('Enter');
  await expect.poll(tagsNow).toEqual(['Family']);
  await expect(page.getByRole('button', { name: 'Remove tag Family' })).toBeFocused();
});

test('the list of tags closes 200 ms after it has lost the focus', async ({ page, api, upload }) => {
  const { id } = await upload(await h264Mp4());
  await api.call(createTag, { body: { category_name: 'Family' } });
  await page.clock.install();
  await page.goto(`/entry/${id}`);
  await page.getByRole('combobox', { name: 'Add tag' }).focus();
  const list = page.getByRole('listbox');
  await expect(list).toBeVisible();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.getByRole('combobox', { name: 'Add tag' }).blur();
  await page.clock.runFor(190);
  await expect(list).toBeVisible();
  await page.clock.runFor(20);
  await expect(list).toBeHidden();
});

test('a tag whose removal fails is gone from the page all the same, one whose addition fails is not there', async ({
  page,
  api,
  upload,
  watch,
}) => {
  watch.allowConsole(/status of 503/);
  const { id } = await upload(await h264Mp4());
  const tag = await api.call(createTag, { body: { category_name: 'Family' } });
  await api.call(createTag, { body: { category_name: 'Places' } });
  await api.call(setEntryTags, { params: { id }, body: { categories: [tag.id] } });
  await page.goto(`/entry/${id}`);
  await page.route(`**/entry/${id}/categories`, (route) =>
    route.fulfill({ status: 503, json: { message: 'Tags are away.', code: 'unavailable' } }),
  );
  const remove = page.getByRole('button', { name: /^Remove tag/ });
  await remove.click();
  await expect(toast(page, 'Tags are away.')).toBeVisible();
  await expect(remove).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Add tag' }).click();
  await page.getByRole('option', { name: 'Places' }).click();
  await expect(page.getByText('Places added')).toHaveCount(0);
  await expect(remove).toHaveCount(0);
});

/** Returns the first control that nothing covers where it would be pressed. */
async function findUncovered(controls: Locator[]): Promise<Locator> {
  for (const control of controls) {
    await control.scrollIntoViewIfNeeded();
    const isCovered = await control.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return !element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    if (!isCovered) return control;
  }
  throw new Error('All of them are covered.');
}

test('nothing moves away from a press that closes the tag list', async ({ page, api, upload, sql }) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  await insertTranscript(sql, id);
  for (const name of ['Family', 'Places']) await api.call(createTag, { body: { category_name: name } });
  await page.clock.install();
  const pageHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/entry/${id}`);
    const list = page.getByRole('listbox');
    await page.getByRole('combobox', { name: 'Add tag' }).focus();
    await expect(list).toBeVisible();
    const height = await pageHeight();
    const control = await findUncovered([
      page.getByRole('button', { name: 'Find in transcript' }),
      page.getByLabel('Additional notes'),
    ]);
    await control.hover();
    expect(await pageHeight(), `at ${width} px`).toBe(height);

    const before = await control.boundingBox();
    await page.mouse.down();
    await page.clock.runFor(1000);
    await expect(list).toBeHidden();
    expect(await control.boundingBox(), `at ${width} px`).toEqual(before);
    await page.mouse.up();
    await expect(page.locator('textarea:focus, input:focus')).toBeVisible();
  }
});
