import { postNote } from '@/lib/journal/notes/contract';
import { createTag, setEntryTags } from '@/lib/journal/tags/contract';
import { h264Mp4 } from '@/test/media/clips';
import { expect, test } from '../fixtures';

test('shows notes and tags added elsewhere once the page refreshes, and keeps what was typed', async ({
  page,
  api,
  upload,
}) => {
  const { id } = await upload(await h264Mp4());
  await page.goto(`/entry/${id}`);
  const note = page.getByLabel('Additional notes');
  await note.fill('Added here');
  await page.getByRole('button', { name: 'Post Note' }).click();
  await expect(page.getByText('Added here')).toBeVisible();
  await expect(note).toHaveValue('');
  await note.fill('Not posted yet');

  await api.call(postNote, { params: { id }, body: { text: 'Added elsewhere' } });
  const tag = await api.call(createTag, { body: { category_name: 'Family' } });
  await api.call(setEntryTags, { params: { id }, body: { categories: [tag.id] } });
  await page.getByRole('textbox', { name: 'Title' }).fill('A new title');
  await page.getByRole('textbox', { name: 'Title' }).press('Enter');

  await expect(page.getByText('Added elsewhere')).toBeVisible();
  await expect(page.getByText('Added here')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Remove tag Family' })).toBeVisible();
  await expect(note).toHaveValue('Not posted yet');
});
