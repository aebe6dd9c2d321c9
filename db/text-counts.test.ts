import { asc, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { addNote, addTranscript } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { db } from './client';
import { readMigrations } from './migrate';
import journal from './migrations/meta/_journal.json';
import { entries } from './schema/entries';

it('counts the text that’s there when the triggers come, and only once', async () => {
  const end = await useFreshDatabase();
  const { id: userId } = await makeUser();
  const spoken = await makeEntry(userId);
  await addTranscript(spoken.id, 'Hé');
  await addTranscript(spoken.id, 'He said', 1);
  const noted = await makeEntry(userId, { trashedAt: new Date() });
  await addNote(noted.id, 'One');
  await addNote(noted.id, 'Zwölf');
  await makeEntry(userId);

  await db().execute(sql`do $$ declare made regprocedure; begin
    for made in select oid::regprocedure from pg_proc
      where pronamespace = 'public'::regnamespace and (proname like 'text\\_%' or proname in ('search_refresh_transcript', 'transcripts_prune'))
    loop execute 'drop function ' || made || ' cascade'; end loop;
  end $$`);
  await db().execute(sql`create trigger search_transcript after insert or update or delete on transcripts
    for each row execute function search_refresh_part()`);
  await db().update(entries).set({ textBytes: 0, noteCount: 0 });
  const index = journal.entries.findIndex(({ tag }) => tag.endsWith('_text_counts'));
  await db().transaction(async (tx) => {
    for (const statement of readMigrations()[index]?.statements ?? []) await tx.execute(sql.raw(statement));
  });

  const counts = () =>
    db()
      .select({ textBytes: entries.textBytes, noteCount: entries.noteCount })
      .from(entries)
      .orderBy(asc(entries.id));
  const words = Buffer.byteLength('[["Hé", 0, 0.5]][["He", 0, 0.5], ["said", 1, 1.5]]');
  expect(await counts()).toEqual([
    { textBytes: words, noteCount: 0 },
    { textBytes: 9, noteCount: 2 },
    { textBytes: 0, noteCount: 0 },
  ]);
  await addNote(noted.id, 'Three');
  expect((await counts())[1]).toEqual({ textBytes: 14, noteCount: 3 });
  await end();
});
