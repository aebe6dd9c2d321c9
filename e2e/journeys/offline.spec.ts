import { listEntries } from '@/lib/journal/entries/contract';
import { createTag } from '@/lib/journal/tags/contract';
import { h264Mp4 } from '@/test/media/clips';
import { expect, test } from '../fixtures';
import { OFFLINE_ERRORS, prepareOffline, recordAndUpload } from './offline-steps';
import { button } from './recording-steps';
import { shareQuestion, submitShare } from './share-steps';

test.use({ serviceWorkers: 'allow' });

test('three recordings made without a network become three entries', async ({
  page,
  context,
  api,
  watch,
}) => {
  watch.allowConsole(OFFLINE_ERRORS);
  await api.call(createTag, { body: { category_name: 'Train' } });
  await prepareOffline(page);
  await context.setOffline(true);
  await page.goto('/upload');
  await expect(page.getByText('You’re offline.')).toBeVisible();
  await recordAndUpload(page, 'One', 'Train');
  for (const title of ['Two', 'Three']) await recordAndUpload(page, title);
  await expect(page.getByText('Waiting to upload')).toBeVisible();
  // They survive the page, too, and aren't offered a second time.
  await page.goto('/journals');
  await expect(page.getByRole('listitem').filter({ hasText: /^(One|Two|Three)/ })).toHaveCount(3);
  await page.goto('/upload');
  await expect(page.getByRole('listitem').filter({ hasText: /^(One|Two|Three)/ })).toHaveCount(3);
  await expect(page.getByText('saved on this device')).toHaveCount(1);
  expect(await api.call(listEntries)).toEqual([]);
  await context.setOffline(false);
  const titles = async () => (await api.call(listEntries)).map(({ title }) => title).toSorted();
  await expect.poll(titles).toEqual(['One', 'Three', 'Two']);
  const tagged = async () =>
    (await api.call(listEntries)).filter(({ tags }) => tags.some(({ name }) => name === 'Train'));
  await expect.poll(async () => (await tagged()).map(({ title }) => title)).toEqual(['One']);
  // The page that was asked for is back by itself.
  await expect(page.getByText('You’re offline.')).toHaveCount(0);
  await page.goto('/upload');
  await expect(page.getByRole('button', { name: 'Start Recording' })).toBeVisible();
  await expect(page.getByText('was saved on this device')).toHaveCount(0);
  expect(await titles()).toEqual(['One', 'Three', 'Two']);
});

test('a video that another app shares opens in the studio, also without a network', async ({
  page,
  context,
  watch,
}) => {
  watch.allowConsole(OFFLINE_ERRORS);
  await prepareOffline(page);
  await context.setOffline(true);
  await page.goto('/journals');
  await submitShare(page, '/share', { path: await h264Mp4(), name: 'Beach.mp4', title: 'At the beach' });
  await expect(page).toHaveURL(/\/upload\?shared=/);
  await expect(shareQuestion(page)).toContainText('Beach.mp4');
  await button(page, 'Add it').click();
  await expect(button(page, 'Remove File')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('At the beach');
});

test('the offline page’s own address leads to the journal while there’s a network', async ({ page }) => {
  await page.goto('/offline');
  await expect(page).toHaveURL('/', { timeout: 60_000 });
});
