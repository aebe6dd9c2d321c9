import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { listAllUploads, readStoredFile, storeUpload } from '@/components/capture/uploads/queue/upload-store';
import {
  addSavedEntry,
  deleteAllSavedEntries,
  isLocked,
  listSavedEntries,
} from '@/components/journal/saved-entries/saved-entry-store';
import { db } from '@/db/client';
import { endAllSessions } from '@/lib/account/sessions/service';
import { getEntry } from '@/lib/journal/entries/service';
import { useFreshDatabase } from '@/test/app-database';
import { signInUser } from '@/test/auth-fixtures';
import { stubBrowser } from '@/test/browser';
import { makeEntry, makeUser } from '@/test/factories';
import { createRefreshCookie } from '@/test/refresh-cookie';
import { sendUploads } from './send-uploads';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
  vi.stubGlobal('indexedDB', new IDBFactory());
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => takeDown());

it.each([
  ['deletes what’s saved if the session was ended', true],
  ['locks what’s saved if the session has expired', false],
])('%s, and leaves the upload for later', async (_, isEnded) => {
  const { id: owner } = await makeUser();
  const { id: entryId } = await makeEntry(owner);
  const { cookie, operation } = createRefreshCookie(
    isEnded ? (await signInUser(owner)).tokens.refresh : undefined,
  );
  const browser = stubBrowser(owner, [operation]);
  // The server authenticates before it reads anything else.
  browser.onCall = (call) =>
    !call.includes('/token/') && Response.json({ code: 'unauthenticated' }, { status: 401 });
  vi.stubGlobal('navigator', { ...navigator, storage: { estimate: async () => ({ quota: 1e9, usage: 0 }) } });
  await deleteAllSavedEntries();
  const nothing = { captions: null, poster: null, etag: null, complete: true, problem: null };
  const entry = await getEntry(owner, entryId);
  await addSavedEntry({ owner, id: entryId, keptAt: 1, checkedAt: 1, entry, bytes: 12, ...nothing });
  const id = crypto.randomUUID();
  const file = new File(['twelve bytes'], 'day.mp4', { type: 'video/mp4' });
  const upload = {
    id,
    owner,
    title: 'A day',
    date: '2026-01-15',
    name: file.name,
    size: 12,
    lastModified: 1,
    sent: 0,
  };
  expect(await storeUpload(upload, file)).toBe(true);
  if (isEnded) await db().transaction((tx) => endAllSessions(tx, owner));

  await expect(sendUploads()).rejects.toThrow();
  expect((await listSavedEntries(owner)).map(isLocked)).toEqual(isEnded ? [] : [true]);
  expect((await listAllUploads()).map((one) => one.id)).toContain(id);
  expect(await readStoredFile(id)).not.toBeNull();
  expect(Boolean(cookie.value)).toBe(isEnded);
});
