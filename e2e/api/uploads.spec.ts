import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { planAllowed, planDetails } from '@/lib/billing/plans/contract';
import { getEntry, removeEntry } from '@/lib/journal/entries/contract';
import { latestToday, toIso } from '@/lib/journal/entries/shared/calendar';
import { completeUpload, MAX_FILE_BYTES, presignedUrl } from '@/lib/video/uploads/contract';
import { h264Mp4 } from '@/test/media/clips';
import { type Client, uploadVideo, waitForProcessing } from '../client';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { storageClient } from '../storage';
import { expectError } from './response-assertions';

/** The Free plan's number of videos. */
const FREE_VIDEOS = 30;

const validUpload = {
  title: 'A day',
  journal_date: '2026-03-01',
  file_name: 'day.mp4',
  content_type: 'video/mp4',
  size: 100,
};

type Reserved = Awaited<ReturnType<typeof reserve>>;
const reserve = (api: Client, more: Partial<Record<keyof typeof validUpload, string | number>> = {}) =>
  api.call(presignedUrl, { query: { ...validUpload, ...more } });

/** Sends bytes to storage with the form that was reserved, changed where told. */
function post(
  { url, fields }: Reserved['presignedData'],
  bytes: number,
  changed: Record<string, string> = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, ...changed })) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'video/mp4' }), 'day.mp4');
  return fetch(url, { method: 'POST', body: form });
}

test.describe('a reservation', () => {
  for (const [name, query, code] of [
    ['a text', { content_type: 'text/plain' }, 'unsupported_media_type'],
    ['a picture named like a video', { content_type: 'image/png' }, 'unsupported_media_type'],
    ['a type that only begins like one', { content_type: 'video' }, 'unsupported_media_type'],
    ['more than 4 GB', { size: MAX_FILE_BYTES + 1 }, 'too_large'],
    ['an empty file', { size: 0 }, 'validation_failed'],
    ['a size that is no number', { size: 'large' }, 'validation_failed'],
    ['a blank title', { title: '  ' }, 'validation_failed'],
    ['a title of 201 characters', { title: 'x'.repeat(201) }, 'validation_failed'],
    ['a date that does not exist', { journal_date: '2026-02-30' }, 'validation_failed'],
    ['a date in the future', { journal_date: `${latestToday().year + 1}-01-02` }, 'validation_failed'],
  ] as const) {
    test(`is refused for ${name}`, async ({ api }) => {
      await expectError(await api.sendOperation(presignedUrl, { query: { ...validUpload, ...query } }), code);
      expect((await api.call(planDetails)).videoCount).toBe(0);
    });
  }

  test('says what a person can do about a file that is no video', async ({ api }) => {
    const answer = await api.sendOperation(presignedUrl, {
      query: { ...validUpload, content_type: 'text/plain' },
    });
    expect((await expectError(answer, 'unsupported_media_type')).message).toBe('Please upload a video file.');
  });

  test('takes today in UTC+14, and a type with codecs', async ({ api }) => {
    await reserve(api, { journal_date: toIso(latestToday()), content_type: 'video/webm;codecs=vp9,opus' });
    expect((await api.call(planDetails)).videoCount).toBe(1);
  });

  test('names each field that is missing', async ({ api }) => {
    const { fields } = await expectError(await api.sendOperation(presignedUrl), 'validation_failed');
    expect(Object.keys(fields ?? {}).sort()).toEqual(['content_type', 'file_name', 'journal_date', 'title']);
  });
});

test.describe('storage', () => {
  test('refuses another size, type, key or signature than was reserved', async ({ api }) => {
    const { presignedData, metadata } = await reserve(api);
    const key = presignedData.fields.key ?? '';
    expect((await post(presignedData, 101)).status).toBe(400);
    expect((await post(presignedData, 0)).status).toBe(400);
    expect((await post(presignedData, 100, { 'Content-Type': 'text/html' })).status).toBe(403);
    expect((await post(presignedData, 100, { key: `${key}x` })).status).toBe(403);
    expect((await post(presignedData, 100, { 'X-Amz-Signature': '0'.repeat(64) })).status).toBe(403);
    await expectError(
      await api.sendOperation(completeUpload, { params: { id: metadata.entryId } }),
      'upload_missing',
    );
    expect((await post(presignedData, 100)).ok).toBe(true);
  });

  test('is told to take it for an hour, and refuses an address that is older', async ({ app, api }) => {
    const asked = Date.now();
    const { presignedData } = await reserve(api);
    const policy = JSON.parse(Buffer.from(presignedData.fields.Policy ?? '', 'base64').toString());
    const lifetime = (Date.parse(policy.expiration) - asked) / 1000;
    expect(lifetime).toBeGreaterThan(3590);
    expect(lifetime).toBeLessThan(3600 + 60);

    const expired = await createPresignedPost(storageClient(app), {
      Bucket: app.storage.bucket,
      Key: presignedData.fields.key ?? '',
      Fields: { 'Content-Type': 'video/mp4' },
      Expires: -1,
    });
    expect((await post(expired, 100)).status).toBe(403);
  });
});

test.describe('completing an upload', () => {
  test('is refused while there is no file, and changes nothing', async ({ api }) => {
    const { metadata } = await reserve(api);
    const params = { id: metadata.entryId };
    await expectError(await api.sendOperation(completeUpload, { params }), 'upload_missing');
    expect((await api.call(getEntry, { params })).videoStatus).toBe('uploading');
  });

  test('twenty times at once starts the jobs once', async ({ account, sql }) => {
    const { api } = account;
    const id = await uploadVideo(api, await h264Mp4());
    const again = Array.from({ length: 20 }, () => api.call(completeUpload, { params: { id } }));
    for (const answer of await Promise.all(again)) {
      expect(answer.id).toBe(id);
      expect(answer.status).not.toBe('failed');
    }
    expect((await waitForProcessing(api, id, 'transcript')).videoStatus).toBe('ready');
    await api.call(completeUpload, { params: { id } });
    const runs = await sql`
      select fn_id, count(*)::int as times from inngest_local.runs where event like ${`%${id}%`} group by fn_id`;
    expect(runs.map(({ times }) => times)).toEqual(runs.map(() => 1));
    expect(runs.length).toBeGreaterThanOrEqual(2);
  });

  test('at once with the first call, twenty times, starts the jobs once', async ({ account, sql }) => {
    const { api } = account;
    const { presignedData, metadata } = await reserve(api);
    expect((await post(presignedData, 100)).ok).toBe(true);
    const params = { id: metadata.entryId };
    await Promise.all(Array.from({ length: 20 }, () => api.call(completeUpload, { params })));
    const entry = await waitForProcessing(api, metadata.entryId);
    expect([entry.status, entry.videoStatus]).toEqual(['failed', 'failed']);
    expect(entry.videoError).toMatch(/^[A-Z].{10,}\.$/);
    const runs = await sql`select id from inngest_local.runs where event like ${`%${metadata.entryId}%`}`;
    expect(runs).toHaveLength(1);
  });
});

test.describe('the plan', () => {
  test('gives its last slot to exactly one of fifty', async ({ account, sql }) => {
    const userId = await userIdOf(sql, account.email);
    for (let taken = 1; taken < FREE_VIDEOS; taken += 1) await insertEntry(sql, userId);
    const ask = () => account.api.sendOperation(presignedUrl, { query: validUpload });
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      // A slow machine turns some away until others are done.
      const { message } = await expectError(answer.status === 429 ? await ask() : answer, 'quota_reached');
      expect(message).toBe("You have reached your plan's quota.");
    }
    expect((await account.api.call(planDetails)).videoCount).toBe(FREE_VIDEOS);
  });

  test('has room again as soon as an entry is removed', async ({ account, sql }) => {
    const { api } = account;
    const userId = await userIdOf(sql, account.email);
    const ids: string[] = [];
    for (let taken = 0; taken < FREE_VIDEOS; taken += 1) ids.push(await insertEntry(sql, userId));
    expect(await api.call(planAllowed)).toEqual({ accountCanUpload: false });
    await expectError(await api.sendOperation(presignedUrl, { query: validUpload }), 'quota_reached');
    await api.call(removeEntry, { params: { id: ids[0] ?? '' } });
    expect(await api.call(planAllowed)).toEqual({ accountCanUpload: true });
    await reserve(api);
    expect(await api.call(planAllowed)).toEqual({ accountCanUpload: false });
  });

  test('refuses a file larger than what is left of its bytes', async ({ account, sql }) => {
    const userId = await userIdOf(sql, account.email);
    const id = await insertEntry(sql, userId);
    await sql`update entries set bytes = ${5e9 - 99} where id = ${id}`;
    await expectError(await account.api.sendOperation(presignedUrl, { query: validUpload }), 'quota_reached');
    await reserve(account.api, { size: 99 });
  });
});
