import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { readPace } from './pace';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

const today = { year: 2026, month: 11, day: 18 };

describe('the pace of a journal', () => {
  it('is nothing for an empty one', async () => {
    const { id } = await makeUser();
    expect(await readPace(id, today)).toEqual({ years: [], recent: { days: 0, entries: 0, seconds: 0 } });
  });

  it('adds up years, and the last 90 days', async () => {
    const [{ id }, other] = [await makeUser(), await makeUser()];
    // The first of the last 90 days, and the one before.
    for (const date of ['2024-02-29', '2026-08-20', '2026-08-21', '2026-11-18', '2026-11-18']) {
      await makeEntry(id, { date, durationMs: 90_000 });
    }
    await makeEntry(id, { date: '2026-11-18', trashedAt: new Date() });
    await makeEntry(id, { date: '2026-11-18', videoStatus: 'uploading' });
    await makeEntry(other.id, { date: '2026-11-18' });
    expect(await readPace(id, today)).toEqual({
      years: [
        { year: 2024, seconds: 90 },
        { year: 2026, seconds: 360 },
      ],
      recent: { days: 90, entries: 3, seconds: 270 },
    });
  });

  it('counts fewer days for a young journal', async () => {
    const { id } = await makeUser();
    await makeEntry(id, { date: '2026-11-09' });
    expect((await readPace(id, today)).recent).toEqual({ days: 10, entries: 1, seconds: 60 });
  });
});
