import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextDue } from './next-due';

const HOUR = 3_600_000;
const QUARTER = 900_000;
const MINUTE = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** What a zone's clocks show: `2026-03-08 03:00`. */
function clockAt(timeZone: string, instant: number): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(instant);
}

const dateAt = (timeZone: string, instant: number) => clockAt(timeZone, instant).slice(0, 10);

/** Returns the first minute at which clocks have reached the hour on a date; undefined if the date doesn't exist. */
function firstReached(timeZone: string, date: string, hour: number): number | undefined {
  const isReached = (instant: number) => {
    const shown = clockAt(timeZone, instant);
    return shown.startsWith(date) && Number(shown.slice(11, 13)) >= hour;
  };
  const noon = Date.parse(`${date}T12:00Z`);
  for (let instant = noon - 30 * HOUR; instant < noon + 30 * HOUR; instant += QUARTER) {
    if (!isReached(instant)) continue;
    while (isReached(instant - MINUTE)) instant -= MINUTE;
    return instant;
  }
  return undefined;
}

const nextDate = (date: string) =>
  new Date(Date.parse(`${date}T00:00Z`) + 24 * HOUR).toISOString().slice(0, 10);

/** Reminders as a sweep sends them, each computed from the one before. */
function send(timeZone: string, hour: number, from: string, count: number): number[] {
  const sent: number[] = [];
  let now = new Date(from);
  let sentOn: string | null = null;
  for (let n = 0; n < count; n += 1) {
    now = nextDue({ hour, timeZone }, now, sentOn);
    sentOn = dateAt(timeZone, now.getTime());
    sent.push(now.getTime());
  }
  return sent;
}

/** Five days around each change of clocks, and some without any. */
const CHANGES = [
  ['America/New_York', '2026-03-06T05:00Z'],
  ['America/New_York', '2026-10-30T05:00Z'],
  ['Europe/Berlin', '2026-03-27T05:00Z'],
  ['Europe/Berlin', '2026-10-23T05:00Z'],
  ['Australia/Lord_Howe', '2026-04-03T05:00Z'],
  ['Australia/Lord_Howe', '2026-10-02T05:00Z'],
  ['America/St_Johns', '2026-03-06T05:00Z'],
  ['America/St_Johns', '2026-10-30T05:00Z'],
  // Until 2011 clocks changed at 00:01 there, so that one minute of a date came twice.
  ['America/St_Johns', '2010-03-12T05:00Z'],
  ['America/St_Johns', '2010-11-05T05:00Z'],
  ['Pacific/Apia', '2011-12-28T05:00Z'],
  // Clocks skip midnight.
  ['Africa/Cairo', '2026-04-22T05:00Z'],
  ['Asia/Kathmandu', '2026-05-01T05:00Z'],
] as const;

describe('the next reminder', () => {
  it.each(CHANGES)(
    'comes once a date, at the hour or right after it was skipped: %s from %s',
    (zone, from) => {
      for (let hour = 0; hour < 24; hour += 1) {
        const sent = send(zone, hour, from, 5);
        expect(sent.length, `at ${hour}`).toBeGreaterThan(3);
        const [first = 0] = sent;
        let date = dateAt(zone, first);
        for (const instant of sent) {
          while (firstReached(zone, date, hour) === undefined) date = nextDate(date);
          expect(instant, `at ${hour} on ${date}`).toBe(firstReached(zone, date, hour));
          date = nextDate(date);
        }
      }
    },
  );

  it('skips the date that Samoa skipped', () => {
    const dates = send('Pacific/Apia', 20, '2011-12-29T12:00Z', 3).map((one) => dateAt('Pacific/Apia', one));
    expect(dates).toEqual(['2011-12-29', '2011-12-31', '2012-01-01']);
  });

  it('never comes twice on one date, however often hour and zone change', () => {
    const zones = fc.constantFrom(
      ...CHANGES.map(([zone]) => zone),
      'Pacific/Kiritimati',
      'Pacific/Pago_Pago',
    );
    const change = fc.record({
      timeZone: zones,
      hour: fc.integer({ min: 0, max: 23 }),
      wait: fc.integer({ min: 0, max: 30 }),
    });
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2010-01-01'), max: new Date('2037-01-01'), noInvalidDate: true }),
        fc.array(change, { minLength: 1, maxLength: 12 }),
        (start, changes) => {
          let now = start;
          let sentOn: string | null = null;
          const sent: string[] = [];
          for (const { wait, ...schedule } of changes) {
            const due = nextDue(schedule, now, sentOn);
            expect(due.getTime()).toBeGreaterThan(now.getTime());
            expect(due.getTime()).toBeLessThan(now.getTime() + 75 * HOUR);
            // Sometimes it's changed again before the reminder is due.
            const changedAt = new Date(now.getTime() + wait * HOUR);
            now = changedAt < due ? changedAt : due;
            if (now === due) {
              sentOn = dateAt(schedule.timeZone, due.getTime());
              sent.push(sentOn);
            }
          }
          expect(sent).toEqual([...new Set(sent)].sort());
        },
      ),
      { numRuns: 300 },
    );
  });

  it('comes once a week if it has a weekday, also where clocks change on it', () => {
    const weekly = { hour: 18, weekday: 0, timeZone: 'America/New_York' };
    const sent: string[] = [];
    let now = new Date('2026-10-20T12:00Z');
    for (let n = 0; n < 4; n += 1) {
      now = nextDue(weekly, now, sent.at(-1) ?? null);
      sent.push(dateAt(weekly.timeZone, now.getTime()));
      expect(clockAt(weekly.timeZone, now.getTime()).slice(11)).toBe('18:00');
    }
    expect(sent).toEqual(['2026-10-25', '2026-11-01', '2026-11-08', '2026-11-15']);
  });

  it('has no second letter for a Sunday that comes again further west', () => {
    const sundayEvening = new Date('2026-11-15T04:00Z');
    const west = { hour: 18, weekday: 0, timeZone: 'Pacific/Pago_Pago' };
    const due = nextDue(west, sundayEvening, '2026-11-15');
    expect(dateAt(west.timeZone, due.getTime())).toBe('2026-11-22');
  });
});
