import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { entryNeighbors } from './gallery';
import { selectNeighbor } from './gallery-queries';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let userId: string;
const ids: string[] = [];

/** Two entries on one day, between an older and a newer one, and some that aren't in the list. */
beforeAll(async () => {
  services = await startLocalServices();
  userId = (await makeUser()).id;
  for (const [title, date] of [
    ['oldest', '2026-01-01'],
    ['morning', '2026-01-02'],
    ['evening', '2026-01-02'],
    ['newest', '2026-02-01'],
  ] as const) {
    ids.push((await makeEntry(userId, { title, date })).id);
  }
  await makeEntry(userId, { date: '2026-01-15', trashedAt: new Date() });
  await makeEntry(userId, { date: '2026-01-16', videoStatus: 'uploading' });
  await makeEntry((await makeUser()).id, { date: '2026-01-17' });
});
afterAll(() => services.end());

describe('entryNeighbors', () => {
  it('follows the journal from the oldest entry to the newest', async () => {
    const found = await Promise.all(ids.map((id) => entryNeighbors(userId, id)));
    expect(found.map(({ previous, next }) => [previous?.title, next?.title])).toEqual([
      [undefined, 'morning'],
      ['oldest', 'evening'],
      ['morning', 'newest'],
      ['evening', undefined],
    ]);
    expect(found[0]?.next?.date).toEqual({ year: 2026, month: 1, day: 2 });
  });

  it('finds nothing around the entry of somebody else', async () => {
    const stranger = (await makeUser()).id;
    await makeEntry(stranger, { date: '2026-01-01' });
    expect(await entryNeighbors(stranger, ids[1] ?? '')).toEqual({ previous: null, next: null });
  });

  it('reads a few rows of the index, however long the journal is', async () => {
    const owner = (await makeUser()).id;
    const { id } = await makeEntry(owner, { date: '2020-06-01' });
    await db().execute(sql`insert into entries (id, user_id, title, date, file_name, content_type, bytes, video_status)
      select gen_random_uuid(), ${owner}, 'Day', date '2019-01-01' + n % 2000, 'day.mp4', 'video/mp4', 1, 'ready'
      from generate_series(1, 4000) n`);
    await db().execute(sql`analyze entries`);
    for (const side of ['before', 'after'] as const) {
      const plan = await db().execute(sql`explain (format json) ${selectNeighbor(owner, id, side).getSQL()}`);
      const text = JSON.stringify(plan);
      expect(text).toContain('entries_newest');
      expect(text).not.toContain('Seq Scan');
      expect(text).not.toContain('"Sort"');
    }
  });
});
