import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteAccountData, findLogoutQuestion } from '@/components/device/account-store';
import { setDeviceSetting } from '@/components/ui/browser-storage';
import { stubBrowser } from '@/test/browser';

/** Databases as earlier releases created them. */
const DATABASES = {
  daylight: { recordings: { keyPath: 'id' }, slices: {} },
  'daylight-words': { words: {}, until: {} },
  'daylight-uploads': { uploads: { keyPath: 'id' }, files: {} },
  'daylight-shared': { videos: { keyPath: 'id' } },
  'daylight-kept': { entries: { keyPath: ['owner', 'id'] }, pieces: {} },
  'daylight-edits': { edits: { keyPath: ['owner', 'entryId', 'target'] } },
  'daylight-import': { imports: {}, reviews: {} },
};

type Name = keyof typeof DATABASES;
const NAMES = Object.keys(DATABASES) as Name[];

const open = (name: Name) =>
  openDB(name, 1, {
    upgrade(db) {
      for (const [store, options] of Object.entries(DATABASES[name])) {
        const created = db.createObjectStore(store, options);
        if (name === 'daylight-shared') created.createIndex('share', 'share');
      }
    },
  });

/** Stores a value of each kind for an account, and a discarded recording. */
async function storeEverything(owner: string): Promise<void> {
  const recording = { owner, recordedAs: 'video/webm', startedAt: 1 };
  const put = async (name: Name, store: string, value: unknown, key?: IDBValidKey) => {
    const db = await open(name);
    await db.put(store, value, key);
    db.close();
  };
  await put('daylight', 'recordings', { ...recording, id: `recording of ${owner}` });
  await put('daylight', 'slices', new Blob(['12345678']), [`recording of ${owner}`, 0]);
  await put('daylight', 'recordings', { ...recording, id: `discarded by ${owner}`, discardedAt: 2 });
  await put('daylight-words', 'words', { draft: {}, complete: true }, `recording of ${owner}`);
  await put('daylight-words', 'until', 1, `recording of ${owner}`);
  const upload = { title: 'Day', date: '2026-01-15', name: 'day.mp4', size: 1, lastModified: 1, sent: 0 };
  await put('daylight-uploads', 'uploads', { ...upload, owner, id: `upload of ${owner}` });
  await put('daylight-uploads', 'files', new Blob(['1']), `upload of ${owner}`);
  await put('daylight-shared', 'videos', { id: `shared with ${owner}`, owner, sharedAt: Date.now() });
  await put('daylight-kept', 'entries', { owner, id: `saved by ${owner}` });
  await put('daylight-kept', 'pieces', new Blob(['1']), [`saved by ${owner}`, 0]);
  await put('daylight-edits', 'edits', { owner, entryId: 'entry', target: 'transcript', madeAt: 1 });
  await put('daylight-import', 'imports', {}, owner);
  await put('daylight-import', 'reviews', new Map(), owner);
}

/** Returns the databases, object stores, and keys that name an account. */
async function keysOf(owner: string): Promise<[database: string, store: string, key: string][]> {
  const found: [string, string, string][] = [];
  for (const name of NAMES) {
    const db = await open(name);
    for (const store of db.objectStoreNames)
      for (const key of await db.getAllKeys(store))
        if (String(key).includes(owner) || JSON.stringify(await db.get(store, key))?.includes(owner))
          found.push([name, store, String(key)]);
    db.close();
  }
  return found;
}

/** Opens a tab: code of its own, which shares storage with the other tabs. */
async function openTab() {
  vi.resetModules();
  return (await import('./account-stores')).ACCOUNT_STORES;
}

const [ME, OTHER] = ['user-1', 'user-2'];

let factory: IDBFactory;
beforeEach(async () => {
  factory = new IDBFactory();
  vi.stubGlobal('indexedDB', factory);
  stubBrowser(ME, []).isOnline = false;
  for (const owner of [OTHER, ME]) await storeEverything(owner);
  for (const setting of ['recordings', 'kept-of', 'edits', 'uploads-of'] as const)
    setDeviceSetting(`daylight-${setting}`, ME);
});
afterEach(() => vi.unstubAllGlobals());

/** Answers every question with the button that logs out. */
async function readQuestions(account: string) {
  const stores = await openTab();
  const questions: [about: string, lead: string][] = [];
  for (;;) {
    const asked = questions.map(([about]) => about);
    const question = await findLogoutQuestion(stores, account, asked);
    if (!question) return questions;
    questions.push([question.about, question.lead]);
  }
}

describe('logging out', () => {
  it('asks about what’s the account’s, and counts nothing of another one', async () => {
    expect(await readQuestions(ME)).toEqual([
      ['uploads', expect.stringMatching(/^An upload isn’t finished/)],
      ['recordings', expect.stringMatching(/^A recording on this device isn’t uploaded yet \(8\.00 B\)/)],
      ['edits', expect.stringMatching(/^A change that you made offline/)],
    ]);
    expect(await readQuestions('user-3')).toEqual([]);
  });

  it('leaves recordings that are on offer, and everything of another account', async () => {
    const ofOther = await keysOf(OTHER);
    await deleteAccountData(await openTab(), ME, false);
    expect(await keysOf(ME)).toEqual([
      ['daylight', 'recordings', 'recording of user-1'],
      ['daylight', 'slices', 'recording of user-1,0'],
      ['daylight-words', 'until', 'recording of user-1'],
      ['daylight-words', 'words', 'recording of user-1'],
    ]);
    expect(await keysOf(OTHER)).toEqual(ofOther);
  });

  it('deletes recordings, too, if that’s wanted', async () => {
    const ofOther = await keysOf(OTHER);
    await deleteAccountData(await openTab(), ME, true);
    expect(await keysOf(ME)).toEqual([]);
    expect(await keysOf(OTHER)).toEqual(ofOther);
  });

  it('deletes saved entries of a session that’s over, and nothing else', async () => {
    const before = await keysOf(ME);
    await deleteAccountData(await openTab(), null, false);
    expect(await keysOf(ME)).toEqual(before.filter(([database]) => database !== 'daylight-kept'));
  });

  it.each(NAMES)('goes on if %s can’t be opened', async (broken) => {
    const openAny = factory.open.bind(factory);
    const denied = vi.spyOn(factory, 'open').mockImplementation((name, version) => {
      if (name === broken) throw new DOMException('Denied', 'SecurityError');
      return openAny(name, version);
    });
    await expect(readQuestions(ME)).resolves.toBeInstanceOf(Array);
    await deleteAccountData(await openTab(), ME, true);
    denied.mockRestore();
    const left = new Set((await keysOf(ME)).map(([database]) => database));
    // What was heard in a recording goes with it.
    expect(broken === 'daylight' ? left.delete('daylight-words') : true).toBe(true);
    expect([...left]).toEqual([broken]);
  });
});
