import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryTags, tags } from '@/db/schema/entries';
import { type StoredWord, transcripts } from '@/db/schema/transcripts';
import { makeTag } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { dashboard, getYearActivity, hourIn, todayIn } from './dashboard';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

async function say(userId: string, text: string, date = '2026-01-15') {
  const { id } = await makeEntry(userId, { date });
  const words = text.split(' ').map((word, second): StoredWord => [word, second, second + 0.5]);
  await db().insert(transcripts).values({ entryId: id, revision: 0, words });
  return id;
}

const topic = async (userId: string) => (await dashboard(userId)).stats.recentTopic;

describe('the recent topic', () => {
  it('is the most frequent tag of the last ten entries', async () => {
    const { id: userId } = await makeUser();
    const [home, sea] = [uuidv7(), uuidv7()];
    await db()
      .insert(tags)
      .values([
        { id: home, userId, name: 'Home' },
        { id: sea, userId, name: 'Sea' },
      ]);
    for (let day = 10; day < 22; day += 1) {
      const entryId = await say(userId, 'piano piano', `2026-01-${day}`);
      await db()
        .insert(entryTags)
        .values({ entryId, tagId: day < 20 - 1 ? home : sea });
    }
    await db()
      .insert(entryTags)
      .values({ entryId: await say(userId, 'piano'), tagId: sea });
    expect(await topic(userId)).toBe('Home');
  });

  it('isn’t decided by the eleventh', async () => {
    const { id: userId } = await makeUser();
    const [home, sea] = [await makeTag(userId, 'Home'), await makeTag(userId, 'Sea')];
    // Five of each, and one more before them. On a tie, the first by name is shown.
    for (let day = 10; day <= 20; day += 1) {
      const { id: entryId } = await makeEntry(userId, { date: `2026-01-${day}` });
      await db()
        .insert(entryTags)
        .values({ entryId, tagId: day === 10 || day % 2 === 0 ? sea : home });
    }
    expect(await topic(userId)).toBe('Home');
  });

  it('is else the most telling word of their transcripts', async () => {
    const { id: userId } = await makeUser();
    for (let day = 1; day <= 28; day += 1) {
      const recent =
        day > 18 ? 'the telescope showed telescopes and happy people' : 'I was happy with my people';
      await say(userId, `${recent} and really then that was it`, `2026-01-${String(day).padStart(2, '0')}`);
    }
    expect(await topic(userId)).toBe('telescope');
  });

  it('is a word, not a stem', async () => {
    const { id: userId } = await makeUser();
    await say(userId, 'memories memories memories');
    expect(await topic(userId)).toBe('memories');
  });

  it('is nothing without words or entries', async () => {
    const { id: userId } = await makeUser();
    expect(await topic(userId)).toBe('');
    await makeEntry(userId);
    expect(await topic(userId)).toBe('');
    await say(userId, 'and then it was 2026');
    expect(await topic(userId)).toBe('');
  });
});

describe('the last year', () => {
  it('has its days, its streak and its words', async () => {
    const { id: userId } = await makeUser();
    await say(userId, 'one two three', '2026-01-15');
    await say(userId, 'four five', '2026-01-15');
    await say(userId, 'six', '2026-01-14');
    await say(userId, 'long ago', '2024-01-14');
    const year = await getYearActivity(userId, { year: 2026, month: 1, day: 15 });
    // From a Sunday on, 52 weeks and what there is of this one: 15 January 2026 is a Thursday.
    expect(year.from).toBe('2025-01-12');
    expect(year.days).toHaveLength(52 * 7 + 5);
    expect(year.days.slice(-3)).toEqual([null, 60, 120]);
    expect(year.days.filter((seconds) => seconds !== null)).toHaveLength(2);
    expect([year.streak, year.words]).toEqual([2, 8]);
  });

  it('ends with the day that it is where the person is', () => {
    const newYear = new Date('2026-01-01T05:00:00Z');
    expect(todayIn('America/Los_Angeles', newYear)).toEqual({ year: 2025, month: 12, day: 31 });
    expect(todayIn('Pacific/Kiritimati', new Date('2025-12-31T10:30:00Z'))).toEqual({
      year: 2026,
      month: 1,
      day: 1,
    });
    expect(todayIn('No/Such_Zone', newYear)).toEqual({ year: 2026, month: 1, day: 1 });
    expect(todayIn(undefined, newYear)).toEqual({ year: 2026, month: 1, day: 1 });
    expect(
      ['America/Los_Angeles', 'Asia/Kolkata', 'No/Such_Zone'].map((zone) => hourIn(zone, newYear)),
    ).toEqual([21, 10, 5]);
    expect(hourIn('UTC', new Date('2026-01-01T00:30:00Z'))).toBe(0);
  });

  it('is right in every zone, however many were asked for before', () => {
    const now = new Date('2026-01-01T05:20:00Z');
    const zones = Intl.supportedValuesOf('timeZone');
    expect(zones.length).toBeGreaterThan(400);
    for (const timeZone of [...zones, ...zones.toReversed()]) {
      const shown = now.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
      const { year, month, day } = todayIn(timeZone, now);
      const date = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
      expect(`${date} ${String(hourIn(timeZone, now)).padStart(2, '0')}`, timeZone).toBe(shown.slice(0, 13));
    }
  });
});
