import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { type DBSchema, deleteDB, openDB } from 'idb';
import { beforeEach, expect, it, vi } from 'vitest';
import { defineDatabase } from './database';

interface Schema extends DBSchema {
  notes: { key: string; value: string };
}

const NAME = 'daylight-test';

const define = (version = 1, onOpen = () => {}) =>
  defineDatabase<Schema>(
    NAME,
    version,
    (db) => {
      if (!db.objectStoreNames.contains('notes')) db.createObjectStore('notes');
    },
    onOpen,
  );

let factory: IDBFactory;
beforeEach(() => {
  factory = new IDBFactory();
  vi.stubGlobal('indexedDB', factory);
  return () => vi.unstubAllGlobals();
});

it('opens a database once, and reads what an earlier release stored', async () => {
  const earlier = await openDB<Schema>(NAME, 1, { upgrade: (db) => void db.createObjectStore('notes') });
  await earlier.put('notes', 'Still here', 'one');
  earlier.close();
  const onOpen = vi.fn();
  const open = define(1, onOpen);
  const [first, second] = await Promise.all([open(), open()]);
  expect(first).toBe(second);
  expect(await first.get('notes', 'one')).toBe('Still here');
  expect(onOpen).toHaveBeenCalledTimes(1);
});

it('closes for a tab that upgrades or deletes it, and opens again', async () => {
  const onOpen = vi.fn();
  const open = define(1, onOpen);
  const before = await open();
  await before.put('notes', 'Gone', 'one');
  await deleteDB(NAME);
  const after = await open();
  expect(after).not.toBe(before);
  expect(await after.getAll('notes')).toEqual([]);
  expect(onOpen).toHaveBeenCalledTimes(2);

  await define(2)();
  await expect(open(), 'in the tab of the earlier version').rejects.toMatchObject({ name: 'VersionError' });
});

it('throws while a tab of an earlier version doesn’t close it, and opens once it has', async () => {
  const stubborn = await openDB<Schema>(NAME, 1, { upgrade: (db) => void db.createObjectStore('notes') });
  await stubborn.put('notes', 'Still here', 'one');
  const open = define(2);
  await expect(open()).rejects.toThrow(DOMException);
  stubborn.close();
  expect(await (await open()).get('notes', 'one')).toBe('Still here');
});

it.each([
  ['has no databases', undefined],
  [
    'denies them',
    {
      open() {
        throw new DOMException('Denied', 'SecurityError');
      },
    },
  ],
])('throws in a browser that %s, and opens once they’re allowed', async (_, denied) => {
  const open = define();
  vi.stubGlobal('indexedDB', denied);
  await expect(open()).rejects.toThrow(DOMException);
  vi.stubGlobal('indexedDB', factory);
  expect(await (await open()).getAll('notes')).toEqual([]);
});

it('opens again if what runs first has failed', async () => {
  const onOpen = vi.fn().mockRejectedValueOnce(new DOMException('Aborted', 'AbortError'));
  const open = define(1, onOpen);
  await expect(open()).rejects.toThrow('Aborted');
  expect(await (await open()).getAll('notes')).toEqual([]);
});
