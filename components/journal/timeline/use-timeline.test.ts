import { expect, it } from 'vitest';
import type { Timeline } from '@/lib/journal/timeline/contract';
import { joinParts, MAX_ROWS, updateRows } from './use-timeline';

/** A part with an entry for each number, the highest of which is the newest. */
function part(newest: number, count: number, more: Partial<Timeline> = {}): Timeline {
  const rows = Array.from({ length: count }, (_, index) => {
    const date = new Date(Date.UTC(2026, 0, newest - index));
    const on = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    return { cursor: '', entry: { id: String(newest - index), date: on }, words: [], notes: 0 };
  });
  return { rows, months: [], hasEarlier: true, hasLater: true, ...more } as unknown as Timeline;
}

const ids = ({ rows }: Timeline) => rows.map(({ entry }) => Number(entry.id));

it('adds rows at either end', () => {
  const below = joinParts(part(50, 3), part(47, 2, { hasEarlier: false }), 'earlier');
  expect(ids(below)).toEqual([50, 49, 48, 47, 46]);
  expect(below).toMatchObject({ hasEarlier: false, hasLater: true });
  const above = joinParts(part(50, 3), part(52, 2, { hasLater: false }), 'later');
  expect(ids(above)).toEqual([52, 51, 50, 49, 48]);
  expect(above).toMatchObject({ hasEarlier: true, hasLater: false });
});

it('repeats no row', () => {
  expect(ids(joinParts(part(50, 3), part(48, 3), 'earlier'))).toEqual([50, 49, 48, 47, 46]);
});

it('drops rows at the other end, and knows that they’re there', () => {
  const full = part(500, MAX_ROWS, { hasEarlier: false, hasLater: false });
  const below = joinParts(full, part(380, 20), 'earlier');
  expect(below.rows).toHaveLength(MAX_ROWS);
  expect(ids(below)[0]).toBe(480);
  expect(below.hasLater).toBe(true);
  const above = joinParts(full, part(520, 20), 'later');
  expect(ids(above).at(-1)).toBe(401);
  expect(above.hasEarlier).toBe(true);
});

it('takes over newer versions of its rows, and no others', () => {
  const newer = part(49, 5);
  const updated = updateRows(part(50, 3), newer);
  expect(ids(updated)).toEqual([50, 49, 48]);
  expect(updated.rows[1]).toBe(newer.rows[0]);
});
