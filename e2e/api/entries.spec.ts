import {
  dashboardDetails,
  getEntry,
  listEntries,
  removeEntry,
  updateEntry,
} from '@/lib/journal/entries/contract';
import { type CalendarDate, latestToday, toIso } from '@/lib/journal/entries/shared/calendar';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectError } from './response-assertions';

/** A date some days after another; the calendar's own arithmetic, in UTC. */
function daysAfter({ year, month, day }: CalendarDate, days: number): CalendarDate {
  const there = new Date(Date.UTC(year, month - 1, day + days));
  return { year: there.getUTCFullYear(), month: there.getUTCMonth() + 1, day: there.getUTCDate() };
}

const today = latestToday();

test.describe('an entry’s date', () => {
  const century = { ...today, year: today.year - 100 };

  for (const [name, date] of [
    ['today in UTC+14', toIso(today)],
    ['as parts', today],
    ['a leap day', '2024-02-29'],
    ['a hundred years ago', toIso(daysAfter(century, today.month === 2 && today.day === 29 ? 1 : 0))],
  ] as const) {
    test(`may be ${name}`, async ({ account, sql }) => {
      const id = await insertEntry(sql, await userIdOf(sql, account.email));
      const changed = await account.api.call(updateEntry, { params: { id }, body: { date } });
      expect(typeof date === 'string' ? toIso(changed.date) : changed.date).toEqual(date);
    });
  }

  const UNREADABLE = 'Invalid date. Must be in MM/DD/YYYY format.';
  const OUT_OF_RANGE = 'Invalid date. Must be in the past 100 years.';
  for (const [name, date, sentence] of [
    // Two days, so that midnight during the test makes no difference.
    ['in the future everywhere', toIso(daysAfter(today, 2)), OUT_OF_RANGE],
    ['more than a hundred years ago', toIso(daysAfter(century, -1)), OUT_OF_RANGE],
    ['one that does not exist', '2026-02-30', UNREADABLE],
    ['a leap day of a common year', { day: 29, month: 2, year: 2025 }, UNREADABLE],
    ['in another form', '03/01/2026', UNREADABLE],
    ['a moment', '2026-03-01T00:00:00Z', UNREADABLE],
  ] as const) {
    test(`may not be ${name}`, async ({ account, sql }) => {
      const id = await insertEntry(sql, await userIdOf(sql, account.email));
      const answer = await account.api.sendOperation(updateEntry, { params: { id }, body: { date } });
      expect((await expectError(answer, 'validation_failed')).fields).toEqual({ date: sentence });
    });
  }
});

test('a title is trimmed, normalised and at most 200 characters', async ({ account, sql }) => {
  const id = await insertEntry(sql, await userIdOf(sql, account.email));
  const rename = (title: unknown) =>
    account.api.sendOperation(updateEntry, { params: { id }, body: { title } });
  for (const [sent, kept] of [
    ['  Cafe\u0301  ', 'Caf\u00e9'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['\u{1f600}'.repeat(200), '\u{1f600}'.repeat(200)],
    ['a\u0000b\u009f', 'ab'],
    ['\u200ba\u2060', '\u200ba\u2060'],
    ['<b>& "quoted"</b>', '<b>& "quoted"</b>'],
  ]) {
    const answer = await rename(sent);
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as { title: string }).title).toBe(kept);
  }
  const blank = ['', '   ', '\u3000', '\u200b', '\u2060', '\u3164', '\u0000'];
  for (const wrong of [...blank, 'x'.repeat(201), 7, null, ['x']]) {
    const { fields } = await expectError(await rename(wrong), 'validation_failed');
    expect(Object.keys(fields ?? {}), JSON.stringify(wrong)).toEqual(['title']);
  }
  expect((await account.api.call(getEntry, { params: { id } })).title).toBe('<b>& "quoted"</b>');
});

test('the list comes newest first, whole or in pages', async ({ account, sql }) => {
  const { api } = account;
  const userId = await userIdOf(sql, account.email);
  const dates = [
    '2026-01-02',
    '2025-12-31',
    '2026-01-02',
    '2024-02-29',
    '2026-01-02',
    '1999-05-05',
    '2026-02-01',
  ];
  for (const date of dates) await insertEntry(sql, userId, { date, title: date });
  await insertEntry(sql, userId, { videoStatus: 'uploading' });
  await insertEntry(sql, userId, { trashed: true });

  const all = await api.call(listEntries);
  expect(all.map(({ date }) => toIso(date))).toEqual([...dates].sort().reverse());
  const created = all.filter(({ title }) => title === '2026-01-02').map(({ createdAt }) => createdAt);
  expect(created).toEqual([...created].sort().reverse());

  const ids: string[] = [];
  let path: string | undefined = '/api/v1/entries?limit=3';
  const sizes: number[] = [];
  while (path) {
    const answer: Response = await api.send('GET', path);
    const page = listEntries.response.parse(await answer.json());
    expect(answer.headers.get('x-total-count')).toBe('7');
    sizes.push(page.length);
    ids.push(...page.map(({ id }) => id));
    path = /^<(\/api\/v1\/entries\?[^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  expect(sizes).toEqual([3, 3, 1]);
  expect(ids).toEqual(all.map(({ id }) => id));

  for (const query of [{ limit: 0 }, { limit: 501 }, { limit: 1.5 }, { limit: 'many' }, { cursor: 'mine' }]) {
    await expectError(await api.sendOperation(listEntries, { query: query as never }), 'validation_failed');
  }
});

test('the dashboard has the newest six and the number of all', async ({ account, sql }) => {
  const userId = await userIdOf(sql, account.email);
  for (let day = 1; day <= 8; day += 1) await insertEntry(sql, userId, { date: `2026-01-0${day}` });
  const { entries, stats } = await account.api.call(dashboardDetails);
  expect(entries.map(({ date }) => date.day)).toEqual([8, 7, 6, 5, 4, 3]);
  expect(stats).toMatchObject({ totalEntries: 8 });
});

test('a removed entry is gone from everywhere, and removing it again finds nothing', async ({
  account,
  sql,
}) => {
  const { api } = account;
  const id = await insertEntry(sql, await userIdOf(sql, account.email));
  await api.call(removeEntry, { params: { id } });
  await expectError(await api.sendOperation(getEntry, { params: { id } }), 'not_found');
  await expectError(await api.sendOperation(removeEntry, { params: { id } }), 'not_found');
  await expectError(
    await api.sendOperation(updateEntry, { params: { id }, body: { title: 'Back' } }),
    'not_found',
  );
  expect(await api.call(listEntries)).toEqual([]);
  expect((await api.call(dashboardDetails)).stats.totalEntries).toBe(0);
});
