import { randomBytes, randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { tags } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { entryJobs } from '@/db/schema/jobs';
import { transcripts } from '@/db/schema/transcripts';
import { MAX_NOTES, MAX_TEXT_BYTES } from '@/lib/billing/plans/text-limits';
import { updateEntry } from '@/lib/journal/entries/service';
import { removeEntry } from '@/lib/journal/entries/trash';
import { requestTranscript } from '@/lib/video/processing/speech';
import { archivedJournal, archivedTranscript, sha256Of } from '@/test/archive-writer';
import { addNote, makeTag } from '@/test/entry-fixtures';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import {
  contentOf,
  entryAt,
  idsOf,
  importAll,
  importOne,
  openImport,
  startImport,
  statesOf,
} from '@/test/import-fixtures';
import { eventsOf, statusOf } from '@/test/multipart-fixtures';
import { fullArchive, smallArchive } from '@/test/sample-archives';
import { startLocalServices } from '@/test/services';
import * as contract from './contract';
import { importRevision } from './service';
import { entryRequest, revisionRequests } from './shared/requests';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const isTranscriptOf = (entryId: string) =>
  and(eq(entryJobs.entryId, entryId), eq(entryJobs.kind, 'transcript'));

describe('an import into a journal in use', () => {
  it('keeps what is there, and adds what it has changed since to nothing', async () => {
    const { id: userId } = await makeUser();
    const { journal, files } = fullArchive();
    const own = await makeTag(userId, 'FAMILY');
    await importAll(userId, journal, files);
    expect((await contentOf(userId)).tags).toContainEqual({ name: 'FAMILY', color: '#FFFFFF' });
    const [entryId = ''] = await idsOf(userId);
    await updateEntry(userId, entryId, { title: 'Renamed', date: { year: 2024, month: 6, day: 1 } });
    await addNote(entryId, 'A new note');
    await db().delete(tags).where(eq(tags.id, own));
    const changed = await contentOf(userId);
    await importAll(userId, journal, files);
    expect({ ...(await contentOf(userId)), tags: null }).toEqual({ ...changed, tags: null });
  });

  it('recognizes a video by the checksum that was computed here, whatever was claimed', async () => {
    const { id: userId } = await makeUser();
    const { journal, files } = smallArchive();
    const { video } = entryAt(journal);
    const computed = { name: 'source', bytes: video.bytes, crc32: 0, playable: null } as const;
    const same = await makeEntry(userId, { date: '2024-05-01' });
    await db()
      .insert(entryFiles)
      .values({ ...computed, entryId: same.id, sha256: video.sha256 });
    expect(await statesOf(userId, journal)).toEqual(['exists']);
    expect(await importOne(userId, journal, files)).toBe(same.id);

    const { id: forger } = await makeUser();
    const forged = await importOne(forger, journal, new Map([...files, [video.path, randomBytes(2000)]]));
    expect(await statesOf(forger, journal)).toEqual(['exists']);
    const real = sha256Of(randomBytes(1));
    await db()
      .insert(entryFiles)
      .values({ ...computed, entryId: forged, sha256: real });
    expect(await statesOf(forger, journal)).toEqual(['new']);
  });

  it('counts an entry in the trash as absent, and another date as another entry', async () => {
    const { id: userId } = await makeUser();
    const { journal, files } = smallArchive();
    await removeEntry(userId, await importOne(userId, journal, files));
    expect(await statesOf(userId, journal)).toEqual(['new']);
    await importAll(userId, journal, files);
    const { entry, video } = entryAt(journal);
    const later = archivedJournal([{ ...entry, id: randomUUID(), date: '2024-05-02', original: video }]);
    expect([...(await statesOf(userId, journal)), ...(await statesOf(userId, later))]).toEqual([
      'exists',
      'new',
    ]);
  });

  it('discards what another archive has left of an entry that it didn’t finish', async () => {
    const { id: userId } = await makeUser();
    const { journal, files } = smallArchive();
    const old = await importOne(userId, journal, files, { stop: 'revisions' });
    const { entry } = entryAt(journal);
    const newer = archivedJournal([{ ...entry, title: 'Retitled' }]);
    const entryId = await importOne(userId, newer, files);
    expect(entryId).not.toBe(old);
    expect([await statusOf(old), await statusOf(entryId)]).toEqual(['gone', 'uploaded']);
    expect(await eventsOf(`purged-${old}`)).toHaveLength(1);
  });
});

describe('an imported entry', () => {
  it('is transcribed only if the archive has no result', async () => {
    const { id: userId } = await makeUser();
    const wanted = [null, { ...archivedTranscript, status: 'processing' as const }, archivedTranscript];
    const started: number[] = [];
    for (const transcript of wanted) {
      const { journal, files } = smallArchive({ transcript });
      const entryId = await importOne(userId, journal, files);
      await requestTranscript({ userId, entryId });
      started.push((await db().select().from(entryJobs).where(isTranscriptOf(entryId))).length);
    }
    expect(started).toEqual([1, 1, 0]);
  });

  it('takes its space like any upload', async () => {
    const { id: userId } = await makeUser();
    for (let n = 0; n < 29; n += 1) await makeEntry(userId);
    const { journal, files } = fullArchive();
    await importOne(userId, journal, files);
    const second = openImport(userId, journal, files, entryAt(journal, 1));
    expect(await codeOf(second)).toBe('quota_reached');
    const huge = { size: 4_000_000_001 };
    const { id: other } = await makeUser();
    expect(await codeOf(openImport(other, journal, files, entryAt(journal), huge))).toBe('too_large');
    const image = { content_type: 'image/png' };
    expect(await codeOf(openImport(other, journal, files, entryAt(journal), image))).toBe(
      'unsupported_media_type',
    );
  });

  it('takes its text like any note, and its words like any other', async () => {
    const { journal, files } = fullArchive();
    for (const full of [{ noteCount: MAX_NOTES }, { textBytes: MAX_TEXT_BYTES }]) {
      const { id: userId } = await makeUser();
      const import_id = await startImport(userId);
      const other = await makeEntry(userId, full);
      const opened = openImport(userId, journal, files, entryAt(journal), { import_id });
      expect([await codeOf(opened), await idsOf(userId)]).toEqual(['quota_reached', [other.id]]);
    }
    const { id: userId } = await makeUser();
    const entryId = await importOne(userId, journal, files, { stop: 'opened' });
    await makeEntry(userId, { textBytes: MAX_TEXT_BYTES });
    const [first] = revisionRequests(entryAt(journal), archivedTranscript);
    const revision = contract.importRevision.body.parse(first);
    expect(await codeOf(importRevision(userId, entryId, revision))).toBe('quota_reached');
    expect(await db().$count(transcripts, eq(transcripts.entryId, entryId))).toBe(0);
  });

  it('takes revisions only from its owner, and only until it is complete', async () => {
    const [{ id: userId }, { id: stranger }] = [await makeUser(), await makeUser()];
    const { journal, files } = smallArchive();
    const entryId = await importOne(userId, journal, files, { stop: 'opened' });
    const [first] = revisionRequests(entryAt(journal), archivedTranscript);
    const revision = contract.importRevision.body.parse(first);
    expect(await codeOf(importRevision(stranger, entryId, revision))).toBe('not_found');
    // An upload that isn't an import.
    const upload = await makeEntry(userId, { videoStatus: 'uploading' });
    expect(await codeOf(importRevision(userId, upload.id, revision))).toBe('not_found');
    expect(await db().select().from(transcripts).where(eq(transcripts.entryId, entryId))).toEqual([]);
    await importOne(userId, journal, files);
    expect(await codeOf(importRevision(userId, entryId, { ...revision, revision: 9 }))).toBe('conflict');
  });

  it.each([
    ['createdAt', '0000-01-01T00:00:00Z'],
    ['createdAt', '2999-01-01T00:00:00Z'],
    ['title', ' '],
    ['date', '2024-02-30'],
    ['sha256', 'A'.repeat(64)],
    ['tags', [{ name: 'x'.repeat(51), color: '#000000' }]],
    ['tags', [{ name: 'x', color: 'red;' }]],
    ['notes', [{ text: 'x'.repeat(10_001), moment: null, createdAt: '2024-01-01T00:00:00Z' }]],
    ['size', 0],
  ])('is refused with a wrong %s (%#)', (name, value) => {
    const { journal } = smallArchive();
    const body = entryRequest(journal, entryAt(journal), null, randomUUID());
    const accepts = (one: object) => contract.importEntry.body.safeParse(one).success;
    expect([accepts(body), accepts({ ...body, [name]: value })]).toEqual([true, false]);
  });
});
