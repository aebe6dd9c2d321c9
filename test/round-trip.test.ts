import { afterAll, beforeAll, expect, it } from 'vitest';
import { openArchive, readTranscript } from '@/components/portability/imports/read-archive';
import { sliceMember } from '@/components/portability/imports/read-zip';
import type { ArchivedJournal } from '@/lib/portability/exports/format';
import { exportAddress } from '@/lib/portability/exports/service';
import { prepareArchive, requestExport } from './export-fixtures';
import { makeUser } from './factories';
import { contentOf, importAll, statesOf } from './import-fixtures';
import { fullArchive } from './sample-archives';
import { startLocalServices } from './services';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

/** Exports an account's journal, and opens the archive as a browser does. */
async function exportJournal(userId: string) {
  const run = await requestExport(userId);
  await prepareArchive(run);
  const response = await fetch(await exportAddress(userId, run.exportId));
  return openArchive(new File([await response.arrayBuffer()], 'journal.zip'));
}

/** Returns an archive's content without what differs between accounts and days: ids, paths, and owner. */
async function comparable(archive: Awaited<ReturnType<typeof exportJournal>>) {
  const { tags, hiddenMemories, vocabulary, entries } = archive.journal;
  const names = new Map(tags.map(({ id, name }) => [id, name]));
  const titles = new Map(entries.map(({ id, title }) => [id, title]));
  const withoutIds = ({ id: _, notes, ...entry }: ArchivedJournal['entries'][number]) => ({
    ...entry,
    tags: entry.tags.map((tag) => names.get(tag)),
    notes: notes.map(({ id: __, ...note }) => note),
  });
  return {
    vocabulary,
    tags: tags.map(({ name, color }) => ({ name, color })),
    hidden: hiddenMemories.map((hidden) => ({
      ...hidden,
      entry: hidden.entry && titles.get(hidden.entry),
      tag: hidden.tag && names.get(hidden.tag),
    })),
    entries: entries.map(withoutIds),
    transcripts: await Promise.all(archive.entries.map((entry) => readTranscript(archive, entry))),
  };
}

it('imports what it exports, and exports the same again', async () => {
  const [{ id: first }, { id: second }] = [await makeUser(), await makeUser()];
  const sample = fullArchive();
  const [entry] = sample.journal.entries;
  await importAll(first, sample.journal, sample.files);
  const archive = await exportJournal(first);
  expect(await statesOf(first, archive.journal)).toEqual(['exists', 'exists']);

  const files = new Map<string, Buffer>();
  for (const { entry: archived, video } of archive.entries) {
    for (const file of [video, archived.transcript]) {
      const slice = file && (await sliceMember(archive.file, archive.index, file));
      if (slice) files.set(file.path, Buffer.from(await slice.arrayBuffer()));
    }
  }
  expect([...files.values()]).toContainEqual(sample.files.get(entry?.original?.path ?? ''));
  await importAll(second, archive.journal, files);
  await importAll(second, sample.journal, sample.files);
  expect((await contentOf(second)).entries).toHaveLength(2);
  const again = await exportJournal(second);
  expect(await comparable(again)).toEqual(await comparable(archive));
});
