import { h264Mp4 } from '@/test/media/clips';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { insertTranscript } from './entry-steps';

test('shows how far a transcription is in one place, and says when it has ended', async ({
  page,
  upload,
  sql,
}) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  const progressIs = (share: number) =>
    sql`update entries set transcript_status = 'processing', transcript_progress = ${share} where id = ${id}`;
  await progressIs(0);
  await page.goto(`/entry/${id}`);
  const card = page.getByRole('region', { name: 'Transcript' });
  const bar = card.getByRole('progressbar', { name: 'Transcription' });
  await expect(bar).toHaveAttribute('value', '0');
  await expect(card.getByText('%')).toHaveCount(0);
  const before = (await card.boundingBox())?.height;

  await progressIs(0.358);
  await expect(card.getByText('35%')).toBeVisible({ timeout: 30_000 });
  await expect(bar).toHaveAttribute('value', '35');
  expect((await card.boundingBox())?.height).toBe(before);
  // Only the sentence is announced, not each number.
  await expect(card.getByRole('status').filter({ hasText: '%' })).toHaveCount(0);
  await expectAccessibleInEveryAppearance(page);

  await insertTranscript(sql, id);
  await sql`update transcripts set draft = false where entry_id = ${id}`;
  await expect(card.getByRole('group', { name: 'Transcript words' })).toBeVisible({ timeout: 30_000 });
  await expect(card.getByRole('status').filter({ hasText: 'The transcript is ready.' })).toHaveCount(1);
});

test('says that a draft may change while the server isn’t done', async ({ page, upload, sql }) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  await insertTranscript(sql, id);
  await sql`update entries set transcript_status = 'processing', transcript_progress = 0.5 where id = ${id}`;
  await page.goto(`/entry/${id}`);
  const card = page.getByRole('region', { name: 'Transcript' });
  await expect(card.getByText('Rough draft')).toBeVisible();
  await expect(card.getByText('These words may still change.')).toBeVisible();
  await expect(card.getByText('50%')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Edit', exact: true })).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  await sql`update entries set transcript_status = 'completed' where id = ${id}`;
  await sql`update transcripts set draft = false where entry_id = ${id}`;
  await expect(card.getByText('Rough draft')).toHaveCount(0, { timeout: 30_000 });
  await expect(card.getByText('These words may still change.')).toHaveCount(0);
});

test('announces a failed transcription as such, with and without a draft', async ({ page, upload, sql }) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  const statusIs = (status: string) =>
    sql`update entries set transcript_status = ${status}, transcript_progress = 0.5 where id = ${id}`;
  await statusIs('processing');
  await page.goto(`/entry/${id}`);
  const card = page.getByRole('region', { name: 'Transcript' });
  const failure = card.getByRole('status').filter({ hasText: 'Transcription failed.' });
  await expect(card.getByText('50%')).toBeVisible();
  await statusIs('failed');
  await expect(failure).toHaveCount(1, { timeout: 30_000 });
  await expect(card.getByText('We couldn’t transcribe this video.')).toBeVisible();

  await insertTranscript(sql, id);
  await statusIs('processing');
  await page.reload();
  await expect(card.getByText('These words may still change.')).toBeVisible();
  await statusIs('failed');
  await expect(failure).toHaveCount(1, { timeout: 30_000 });
  await expect(card.getByText('These are the words your browser heard.')).toBeVisible();
});

test('offers to transcribe again what is only a draft', async ({ page, upload, sql }) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  await insertTranscript(sql, id);
  await sql`update entries set transcript_status = 'failed' where id = ${id}`;
  await page.goto(`/entry/${id}`);
  const card = page.getByRole('region', { name: 'Transcript' });
  await expect(card.getByText('These are the words your browser heard.')).toBeVisible();
  const started = page.waitForResponse((response) => response.url().endsWith('/transcription/retry'));
  await card.getByRole('button', { name: 'Try again' }).click();
  expect((await started).status()).toBe(202);
});
