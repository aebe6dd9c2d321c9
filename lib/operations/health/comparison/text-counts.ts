import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { type AccountRange, inRange } from './account-ranges';
import { attemptRepair, type Comparison } from './findings';

/** How many entries one statement counts, with all revisions of their transcripts. */
const BATCH = 200;

/** Counts an entry's text again, while changes of it wait. */
const recount = (id: string) => () => db().execute(sql`select text_recount(array[${id}::uuid])`);

/** Compares what the rows of a range's entries say about their text with what there is of it. */
export async function compareTextCounts(
  { findings, mayRepair }: Comparison,
  range: AccountRange,
): Promise<void> {
  const own = await db().select({ id: entries.id }).from(entries).where(inRange(entries.userId, range));
  for (let at = 0; at < own.length; at += BATCH) {
    const ids = JSON.stringify(own.slice(at, at + BATCH).map(({ id }) => id));
    const wrong = await db().execute<{ id: string }>(sql`
      select id from ${entries} cross join lateral text_counted(id) as counted
      where id in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb))
        and (${entries.textBytes}, ${entries.noteCount}) is distinct from (counted.text_bytes, counted.note_count)`);
    for (const { id } of wrong) {
      findings.add('text-miscounted', id, { isRepaired: await attemptRepair(mayRepair, recount(id)) });
    }
  }
}
