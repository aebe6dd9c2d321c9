import { expect, it } from 'vitest';
import { addEntries, dropEntries, NO_SELECTION, type SelectionState, toggleEntry } from './selection';

const entry = (n: number) => ({ id: `${n}`, date: { year: 2026, month: 1, day: 1 }, tags: [] });
const entries = (count: number) => Array.from({ length: count }, (_, n) => entry(n));
const idsOf = (state: SelectionState | null) => state && [...state.picked.keys()];

it('selects at most 500 entries, whether one by one or in ranges', () => {
  const almost = addEntries(NO_SELECTION, entries(499)) ?? NO_SELECTION;
  expect(addEntries(almost, [entry(499), entry(500)])).toBeNull();
  expect(addEntries(almost, entries(500))?.picked.size).toBe(500);
  const full = toggleEntry(almost, entry(499)) ?? NO_SELECTION;
  expect(full.picked.size).toBe(500);
  expect(toggleEntry(full, entry(500))).toBeNull();
  expect(toggleEntry(full, entry(3))?.picked.size).toBe(499);
});

it('starts the next range at the entry that was selected or deselected last', () => {
  const one = toggleEntry(NO_SELECTION, entry(1)) ?? NO_SELECTION;
  expect(one.anchor).toBe('1');
  expect(addEntries(one, [entry(2), entry(3)])?.anchor).toBe('1');
  expect(addEntries(one, [entry(2), entry(3)], '3')?.anchor).toBe('3');
  expect(toggleEntry(one, entry(1))).toEqual({ isActive: true, picked: new Map(), anchor: '1' });
});

it('keeps what is left when entries are gone, and ends when all are', () => {
  const three = addEntries(NO_SELECTION, entries(3), '2') ?? NO_SELECTION;
  const left = dropEntries(three, ['0', '2']);
  expect(idsOf(left)).toEqual(['1']);
  expect(left).toMatchObject({ isActive: true, anchor: null });
  expect(dropEntries(three, ['0']).anchor).toBe('2');
  expect(dropEntries(left, ['1'])).toEqual(NO_SELECTION);
});
