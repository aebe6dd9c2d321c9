import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkImport } from '@/lib/portability/imports/archive/contract';
import { archivedEntry, archivedJournal } from '@/test/archive-writer';
import { checkEntries, type EntryState, importableEntries } from './requests';

/** Asks about a journal's entries, all of which are said to exist. @returns the states, and each request's entries */
async function ask(journal: ReturnType<typeof archivedJournal>) {
  const sizes: number[] = [];
  const states = await checkEntries(importableEntries(journal), async (body) => {
    const { videos } = checkImport.body.parse(body);
    sizes.push(videos.reduce((sum, { twins }) => sum + twins.length, 0));
    return { states: videos.map(({ twins }) => twins.map((): EntryState => 'exists')) };
  });
  return { states, sizes };
}

it('doesn’t ask about entries that the journal couldn’t know, and asks about the others', async () => {
  const files = new Map<string, Buffer>();
  const video = randomBytes(100);
  const original = { path: 'a.mp4', bytes: 100, sha256: 'none' };
  const journal = archivedJournal([
    archivedEntry(files, video, { id: 'x'.repeat(101) }),
    archivedEntry(files, video, { date: '2024-02-30' }),
    archivedEntry(files, video, { original }),
    archivedEntry(files, video),
    archivedEntry(files, randomBytes(100)),
  ]);
  expect(await ask(journal)).toEqual({ states: ['new', 'new', 'new', 'exists', 'exists'], sizes: [2] });
});

it('imports nothing without a video', () => {
  const files = new Map<string, Buffer>();
  const lost = archivedEntry(files, randomBytes(100), { original: null, playable: null });
  const kept = archivedEntry(files, randomBytes(100));
  expect(importableEntries(archivedJournal([lost, kept])).map(({ entry }) => entry)).toEqual([kept]);
});

it('asks in batches, and about entries with the same video at once', async () => {
  const files = new Map<string, Buffer>();
  const make = (video: Buffer) => archivedEntry(files, video, { transcript: null });
  const same = Buffer.alloc(1);
  const journal = archivedJournal([
    ...Array.from({ length: 499 }, (_, index) => make(Buffer.from(`video ${index}`))),
    ...Array.from({ length: 300 }, () => make(same)),
    make(randomBytes(10)),
  ]);
  const { states, sizes } = await ask(journal);
  expect([new Set(states), states.length, sizes]).toEqual([new Set(['exists']), 800, [799, 1]]);
});
