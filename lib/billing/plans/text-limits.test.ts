import { and, eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { deletedTags, type entries, notes, tags } from '@/db/schema/entries';
import { imports } from '@/db/schema/imports';
import { transcripts } from '@/db/schema/transcripts';
import { changeTags } from '@/lib/journal/bulk/service';
import { purgeEntry, removeEntry } from '@/lib/journal/entries/trash';
import { deleteNote, editNote, listNotes, postNote } from '@/lib/journal/notes/service';
import { deleteTag, restoreTag } from '@/lib/journal/tags/deletion';
import { createTag } from '@/lib/journal/tags/service';
import { restoreRevision, saveTranscription } from '@/lib/journal/transcripts/revisions';
import { importJournal } from '@/lib/portability/imports/archive/service';
import { createImport } from '@/lib/portability/imports/history/service';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { publishTranscript, said, storedWords } from '@/test/transcript-fixtures';
import {
  assertTextFits,
  lockTextUsage,
  MAX_IMPORTS,
  MAX_NOTES,
  MAX_TAGS,
  MAX_TEXT_BYTES,
} from './text-limits';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const full = expect.objectContaining({ code: 'quota_reached' });

async function makeJournal(values: Partial<typeof entries.$inferInsert> = {}) {
  const { id: userId } = await makeUser();
  return { userId, entryId: (await makeEntry(userId, values)).id };
}

/** Uses up an account's text, but for so many bytes. @returns the entry that has it */
const fill = async (userId: string, left: number) =>
  (await makeEntry(userId, { textBytes: MAX_TEXT_BYTES - left })).id;

const usage = (userId: string) => db().transaction((tx) => lockTextUsage(tx, userId));

const fulfilled = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length;

describe('the text of an account', () => {
  it('is never more than its limit, however many write at once', async () => {
    const { userId, entryId } = await makeJournal();
    await fill(userId, 3 * 5000 + 4999);
    const others = await Promise.all(Array.from({ length: 4 }, () => makeEntry(userId)));
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        postNote(userId, others[n % 5]?.id ?? entryId, { text: 'é'.repeat(2500) }),
      ),
    );
    expect(fulfilled(results)).toBe(3);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toEqual(full);
    expect((await usage(userId)).bytes).toBe(MAX_TEXT_BYTES - 4999);
  });

  it('counts what another request is adding', async () => {
    const { userId } = await makeJournal();
    await fill(userId, 10);
    const added = await duringTransaction(
      async (tx) => {
        await tx.insert(tags).values({ id: uuidv7(), userId, name: 'Family' });
        await assertTextFits(tx, userId);
      },
      // Changes of what can be searched wait for each other anyway. An import's name isn't.
      () => createImport(userId, { kind: 'files', name: 'Videos' }),
    );
    expect(added).toEqual({ waited: true, outcome: { status: 'rejected', reason: full } });
  });

  it('can be made less even beyond the limit, and then grows again', async () => {
    const { userId, entryId } = await makeJournal();
    const note = await postNote(userId, entryId, { text: 'What happened' });
    const other = await fill(userId, 0);
    await expect(postNote(userId, entryId, { text: 'More' })).rejects.toEqual(full);
    await expect(editNote(userId, entryId, note.id, { text: 'What happened then' })).rejects.toEqual(full);
    await expect(createTag(userId, 'Family', '#ffffff')).rejects.toEqual(full);
    await expect(createImport(userId, { kind: 'files', name: 'Clips' })).rejects.toEqual(full);
    expect((await listNotes(userId, entryId)).map(({ text }) => text)).toEqual(['What happened']);
    expect(await editNote(userId, entryId, note.id, { text: 'What' })).toMatchObject({ text: 'What' });
    await deleteNote(userId, entryId, note.id);
    await expect(postNote(userId, entryId, { text: 'More' })).rejects.toEqual(full);
    // What's in the trash is still stored.
    await removeEntry(userId, other);
    await expect(postNote(userId, entryId, { text: 'More' })).rejects.toEqual(full);
    await purgeEntry(userId, other);
    await postNote(userId, entryId, { text: 'More' });
  });

  it('repeats a note that was saved before it was full', async () => {
    const { userId, entryId } = await makeJournal();
    const draft = { text: 'Sent twice', client_id: crypto.randomUUID() };
    const saved = await postNote(userId, entryId, draft);
    await fill(userId, 0);
    expect(await postNote(userId, entryId, draft)).toEqual(saved);
  });

  it('belongs to its account alone', async () => {
    const [one, two] = [await makeJournal(), await makeJournal()];
    await fill(one.userId, 0);
    await postNote(two.userId, two.entryId, { text: 'Mine' });
    expect((await listNotes(two.userId, two.entryId)).map(({ text }) => text)).toContain('Mine');
  });
});

describe('the number of', () => {
  it('notes on an entry, and in a journal, has a limit', async () => {
    const { userId, entryId } = await makeJournal({ noteCount: 4998 });
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => postNote(userId, entryId, { text: 'Again' })),
    );
    expect(fulfilled(results)).toBe(2);
    const [note] = await listNotes(userId, entryId);
    await deleteNote(userId, entryId, note?.id ?? '');
    await postNote(userId, entryId, { text: 'Again' });
    await expect(postNote(userId, entryId, { text: 'Again' })).rejects.toMatchObject({
      message: 'This entry has 5,000 notes, which is the limit. Delete some, then try again.',
    });
    await makeEntry(userId, { noteCount: MAX_NOTES - 5001 });
    const other = (await makeEntry(userId)).id;
    await postNote(userId, other, { text: 'The last one' });
    await expect(postNote(userId, other, { text: 'One too many' })).rejects.toEqual(full);
  });

  it('tags has a limit, however they’re made', async () => {
    const { userId, entryId } = await makeJournal();
    const { id: importId } = await createImport(userId, { kind: 'daylight', name: 'Daylight.zip' });
    await db().execute(sql`insert into tags (id, user_id, name)
      select gen_random_uuid(), ${userId}, 'Tag ' || n from generate_series(1, ${MAX_TAGS - 2}::int) as n`);
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => createTag(userId, `Mine ${n}`, '#ffffff')),
    );
    expect(fulfilled(results)).toBe(2);
    const bulk = { add: [], remove: [], create: ['In bulk'] };
    await expect(changeTags(userId, [entryId], bulk)).rejects.toEqual(full);
    const journal = {
      ...{ import_id: importId, exportedAt: new Date(), vocabulary: [], hiddenTags: [], hiddenDates: [] },
      tags: [{ name: 'Imported', color: '#ffffff' }],
    };
    await expect(importJournal(userId, journal)).rejects.toEqual(full);
    const [{ id } = { id: '' }] = await db().select().from(tags).where(eq(tags.userId, userId)).limit(1);
    await deleteTag(userId, id);
    await importJournal(userId, journal);
    await expect(restoreTag(userId, id)).rejects.toEqual(full);
    expect(await db().$count(tags, eq(tags.userId, userId))).toBe(MAX_TAGS);
  });

  it('deleted tags that can be restored is a hundred', async () => {
    const { userId } = await makeJournal();
    const made: string[] = [];
    for (let n = 0; n < 102; n += 1) made.push((await createTag(userId, `Tag ${n}`, '#ffffff')).id);
    for (const id of made) await deleteTag(userId, id);
    const left = await db()
      .select({ id: deletedTags.id })
      .from(deletedTags)
      .where(eq(deletedTags.userId, userId));
    expect(left.map(({ id }) => id).sort()).toEqual(made.slice(2).sort());
  });

  it('imports has a limit', async () => {
    const { userId } = await makeJournal();
    await db().execute(sql`insert into imports (id, user_id, kind, name)
      select gen_random_uuid(), ${userId}, 'files', 'Clips' from generate_series(1, ${MAX_IMPORTS - 1}::int)`);
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => createImport(userId, { kind: 'files', name: 'Clips' })),
    );
    expect(fulfilled(results)).toBe(1);
    expect(await db().$count(imports, eq(imports.userId, userId))).toBe(MAX_IMPORTS);
  });
});

it('counts what there is, after anything that changes it', async () => {
  const { userId } = await makeJournal();
  type Step = [what: string, entry: number, which: number];
  const step: fc.Arbitrary<Step> = fc.tuple(
    fc.constantFrom('note', 'notes', 'edit', 'delete', 'save', 'hear', 'restore', 'purge', 'sql'),
    fc.nat({ max: 2 }),
    fc.nat({ max: 9 }),
  );
  let ids: string[] = [];
  const noteIn = async (entryId: string, which: number) => {
    const found = await db().select({ id: notes.id }).from(notes).where(eq(notes.entryId, entryId));
    return found[which % Math.max(1, found.length)]?.id;
  };
  const steps: Record<string, (entryId: string, which: number) => Promise<unknown>> = {
    note: (entryId, which) => postNote(userId, entryId, { text: 'ü'.repeat(which + 1) }),
    notes: (entryId) =>
      db()
        .insert(notes)
        .values(['a', 'é', '日本'].map((text) => ({ id: uuidv7(), entryId, text }))),
    edit: async (entryId, which) => {
      const id = await noteIn(entryId, which);
      if (id) await editNote(userId, entryId, id, { text: 'x'.repeat(which + 1) });
    },
    delete: async (entryId, which) => {
      const id = await noteIn(entryId, which);
      if (id) await deleteNote(userId, entryId, id);
    },
    save: (entryId, which) => saveTranscription(userId, entryId, said(`naïve ${which}`)),
    hear: (entryId, which) =>
      publishTranscript(
        { userId, entryId },
        { words: storedWords(`heard ${which}`), language: 'en', estimated: false, engine: null },
      ),
    restore: async (entryId, which) => {
      const revision = eq(transcripts.revision, which);
      if ((await db().$count(transcripts, and(eq(transcripts.entryId, entryId), revision))) > 0)
        await restoreRevision(userId, entryId, which);
    },
    purge: async (entryId) => {
      await removeEntry(userId, entryId);
      await purgeEntry(userId, entryId);
      ids = ids.map((id) => (id === entryId ? '' : id));
    },
    sql: (entryId, which) =>
      db().execute(sql`update transcripts set words = jsonb_build_array(jsonb_build_array(repeat('z', ${which}::int), 0, 1))
        where entry_id = ${entryId} and shared_words is null`),
  };
  const run = async (all: Step[]) => {
    ids = await Promise.all([0, 1, 2].map(async () => (await makeEntry(userId)).id));
    for (const [what, at, which] of all) {
      const entryId = ids[at];
      if (entryId) await steps[what]?.(entryId, which);
    }
    const wrong = await db().execute(sql`
      select id from entries, text_counted(id) as counted
      where user_id = ${userId} and (entries.text_bytes, entries.note_count) is distinct from (counted.text_bytes, counted.note_count)`);
    expect([...wrong]).toEqual([]);
    const [counted] = await db().execute<{ bytes: number }>(sql`
      select coalesce(sum(bytes), 0)::float8 as bytes from (
        select octet_length(words::text) as bytes from transcripts join entries on id = entry_id where user_id = ${userId}
        union all select octet_length(text) from notes join entries on entries.id = entry_id where user_id = ${userId}
      ) as texts`);
    expect((await usage(userId)).bytes).toBe(counted?.bytes);
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), run), { numRuns: 15 });
  await db().delete(users).where(eq(users.id, userId));
  expect(await usage(userId)).toEqual({ bytes: 0, notes: 0, tags: 0, imports: 0 });
});
