import { createHash } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import type { entries } from '@/db/schema/entries';
import { bucket, s3 } from '@/lib/clients/storage';
import { entryKey } from '@/lib/journal/entries/keys';
import { compareData } from '@/lib/operations/health/comparison/compare';
import { makeEntry } from './factories';
import { readWholeState } from './whole-state';

/** Stores an object of so many bytes. */
export async function store(key: string, size = 10): Promise<void> {
  const Body = Buffer.alloc(size, 'v');
  await s3().send(new PutObjectCommand({ Bucket: bucket(), Key: key, Body, ContentType: 'video/mp4' }));
}

/** Makes an entry with everything in storage that its row refers to. */
export async function makeStoredEntry(userId: string, values: Partial<typeof entries.$inferInsert> = {}) {
  const bytes = values.bytes ?? 1000;
  const sourceEtag = createHash('md5').update(Buffer.alloc(bytes, 'v')).digest('hex');
  const entry = await makeEntry(userId, { bytes, sourceEtag, ...values });
  const key = (name: 'source' | 'video.mp4') => entryKey(userId, entry.id, name);
  if (entry.videoStatus !== 'uploading') await store(key('source'), bytes);
  if (entry.videoKey) await store(key('video.mp4'));
  return entry;
}

const DAY_MS = 24 * 3600 * 1000;

/**
 * Compares the database with storage two days from now, when everything that tests have stored is old. Expects that
 * nothing is changed unless something may be repaired.
 * @returns what's printed about each check that found something, as one text
 */
export async function compare(options: Partial<Parameters<typeof compareData>[0]> = {}) {
  const usual = { only: '', isThorough: false, mayRepair: false, mayDeleteMany: false };
  const before = options.mayRepair ? null : await readWholeState();
  const found = await compareData({ ...usual, now: Date.now() + 2 * DAY_MS, ...options });
  if (before) expect(await readWholeState()).toEqual(before);
  const said = found.map(({ name, problems, notes = [] }) => [
    name,
    [...problems.map((text) => `✗ ${text}`), ...notes.map((text) => `✓ ${text}`)].join('\n'),
  ]);
  return Object.fromEntries(said.filter(([, text]) => text !== '')) as Record<string, string>;
}
