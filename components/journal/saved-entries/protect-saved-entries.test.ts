import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { endAllSessions } from '@/lib/account/sessions/service';
import { AppError } from '@/lib/foundation/contract/errors';
import * as entries from '@/lib/journal/entries/contract';
import { getEntry } from '@/lib/journal/entries/service';
import { useFreshDatabase } from '@/test/app-database';
import { signInUser } from '@/test/auth-fixtures';
import { type Operations, stubBrowser } from '@/test/browser';
import { makeEntry, makeUser } from '@/test/factories';
import { createRefreshCookie } from '@/test/refresh-cookie';

const DAY = 24 * 60 * 60 * 1000;

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

let owner: string;
let id: string;
const { cookie, operation: refresh } = createRefreshCookie();
let browser: ReturnType<typeof stubBrowser>;
let calls: string[];

const OPERATIONS: Operations = [
  [
    entries.getEntry,
    (userId, entryId) => {
      if (!cookie.value) throw new AppError('unauthenticated');
      return getEntry(userId, entryId);
    },
  ],
  refresh,
];

const signIn = async () => {
  cookie.value = (await signInUser(owner)).tokens.refresh;
};
const signOutEverywhere = () => db().transaction((tx) => endAllSessions(tx, owner));

/** Opens a tab: code of its own, which shares storage with the other tabs. */
async function openTab() {
  vi.resetModules();
  const [store, has, settling, refreshing, client] = [
    await import('./saved-entry-store'),
    await import('./saved-entries-owner'),
    await import('./protect-saved-entries'),
    await import('./refresh-saved-entries'),
    await import('@/lib/api/shared/client'),
  ];
  /** Returns whether the video plays; null if the entry isn't on this device. */
  const plays = async () => {
    const saved = await store.readSavedEntry(owner, id);
    return saved ? (await store.readSavedVideo(saved)) !== null : null;
  };
  return { ...store, ...has, ...settling, ...refreshing, ...client, plays };
}

beforeEach(async () => {
  owner = (await makeUser()).id;
  id = (await makeEntry(owner)).id;
  vi.stubGlobal('indexedDB', new IDBFactory());
  browser = stubBrowser(owner, OPERATIONS);
  calls = [];
  browser.onCall = (call) => void calls.push(call);
  await signIn();
  const { addSavedEntry, putPiece } = await openTab();
  const nothing = { captions: null, poster: null, etag: null, complete: false, problem: null };
  const entry = await getEntry(owner, id);
  await addSavedEntry({ owner, id, keptAt: Date.now(), checkedAt: Date.now(), entry, bytes: 0, ...nothing });
  await putPiece(owner, id, 0, { blob: new Blob(['twelve bytes']), total: 12, etag: null });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a session that was ended elsewhere', () => {
  it('takes what’s saved with it', async () => {
    const { protectSavedEntries, plays, countPieces, savedEntriesOwner } = await openTab();
    await protectSavedEntries();
    expect(await plays()).toBe(true);
    await signOutEverywhere();
    const deleted: number[] = [];
    await protectSavedEntries(async (count) => void deleted.push(count));
    expect(await plays()).toBeNull();
    expect(await countPieces(id)).toBe(0);
    expect(deleted, 'counted before it’s deleted').toEqual([1]);
    expect(savedEntriesOwner()).toBeNull();
  });

  it('is noticed by any call, once that can’t be sent again', async () => {
    const { watchSession, call, protectSavedEntries, plays } = await openTab();
    const settled = new Promise<void>((resolve, reject) => {
      watchSession(() => void protectSavedEntries().then(resolve, reject));
    });
    await signOutEverywhere();
    browser.onCall = (line) =>
      line.includes('/entry/') && Response.json({ code: 'unauthenticated' }, { status: 401 });
    const answer = call('GET /entry/:id', { params: { id }, onExpired: 'throw' });
    await expect(answer).rejects.toMatchObject({ status: 401 });
    await settled;
    expect(await plays()).toBeNull();
  });

  it('takes nothing if another tab has just logged in', async () => {
    const { watchSession, call, protectSavedEntries, plays } = await openTab();
    const settled = new Promise<void>((resolve, reject) => {
      watchSession(
        () =>
          void signIn()
            .then(() => protectSavedEntries())
            .then(resolve, reject),
      );
    });
    await signOutEverywhere();
    browser.onCall = (line) =>
      line.includes('/entry/') && Response.json({ code: 'unauthenticated' }, { status: 401 });
    await call('GET /entry/:id', { params: { id }, onExpired: 'throw' }).catch(() => {});
    await settled;
    expect(await plays()).toBe(true);
  });
});

describe('a session that has expired', () => {
  beforeEach(async () => {
    cookie.value = undefined;
    await (await openTab()).protectSavedEntries();
  });

  it('locks what’s saved in every tab, until its owner has logged in again', async () => {
    const { plays, refreshSavedEntries, listSavedEntries, isLocked } = await openTab();
    expect(await plays()).toBe(false);
    expect((await listSavedEntries(owner)).map(isLocked)).toEqual([true]);
    await refreshSavedEntries(owner, false);
    expect(await plays(), 'without a session').toBe(false);
    await signIn();
    await refreshSavedEntries(owner, false);
    expect(await plays()).toBe(true);
  });

  it('asks nothing more while everything is locked', async () => {
    calls = [];
    await (await openTab()).protectSavedEntries();
    expect(calls).toEqual([]);
  });

  it('deletes it 30 days later, also without a network', async () => {
    browser.isOnline = false;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 29 * DAY });
    expect(await (await openTab()).plays()).toBe(false);
    // Looking at it doesn't make that longer.
    await (await openTab()).protectSavedEntries();
    vi.setSystemTime(Date.now() + 2 * DAY);
    const { plays, countPieces } = await openTab();
    expect(await plays()).toBeNull();
    expect(await countPieces(id)).toBe(0);
    expect(document.cookie, 'not counted as deleted by the browser').not.toMatch(/-[\d.]*[1-9]/);
  });
});

it.each([
  ['without a network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['while the server can’t tell', () => Response.json({ code: 'unavailable' }, { status: 503 })],
])('changes nothing %s', async (_, answer) => {
  const { protectSavedEntries, plays } = await openTab();
  await signOutEverywhere();
  browser.onCall = answer;
  await expect(protectSavedEntries()).rejects.toThrow();
  expect(await plays()).toBe(true);
});
