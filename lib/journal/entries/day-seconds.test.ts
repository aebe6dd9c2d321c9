import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { selectDaySeconds } from './pace';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

describe('seconds per day', () => {
  it('are those of the entries that lists show', async () => {
    const [{ id: owner }, { id: other }] = [await makeUser(), await makeUser()];
    for (const [date, durationMs] of [
      ['2026-01-01', 1500],
      ['2026-01-01', 2000],
      ['2026-01-31', null],
      ['2026-02-01', 9000],
    ] as const) {
      await makeEntry(owner, { date, durationMs });
    }
    await makeEntry(owner, { date: '2026-01-02', trashedAt: new Date() });
    await makeEntry(owner, { date: '2026-01-02', videoStatus: 'uploading' });
    await makeEntry(other, { date: '2026-01-02' });
    expect(await selectDaySeconds(owner, '2026-01-01', '2026-01-31')).toEqual([
      { day: '2026-01-01', seconds: 3.5 },
      { day: '2026-01-31', seconds: 0 },
    ]);
  });

  it('are read from an index', async () => {
    const { id: owner } = await makeUser();
    await db().execute(sql`
      insert into entries (id, user_id, title, date, file_name, content_type, bytes, video_status)
      select gen_random_uuid(), ${owner}, 'A day', date '2020-01-01' + n, 'day.mp4', 'video/mp4', 1, 'ready'
      from generate_series(1, 2000) as n`);
    await db().execute(sql`vacuum analyze entries`);
    const plan = await db().execute<{ 'QUERY PLAN': string }>(sql`
      explain select date, sum(duration_ms) from entries
      where user_id = ${owner} and trashed_at is null and video_status <> 'uploading'
        and date between '2026-01-01' and '2026-12-31' group by date`);
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain(
      'Index Only Scan using entries_minutes',
    );
  });
});
