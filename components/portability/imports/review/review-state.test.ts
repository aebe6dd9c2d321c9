import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, formatUsDate, localToday } from '@/lib/journal/entries/shared/calendar';
import { countByFilter, planReview } from './review-filters';
import { applyEdits, type ReviewRow, type RowChange } from './review-row';
import {
  editsOf,
  type ReviewAction,
  type ReviewState,
  reviewReducer,
  rowOf,
  selectedRows,
  startReview,
} from './review-state';

const row = (id: string, more: Partial<ReviewRow> = {}): ReviewRow => ({
  id,
  name: `${id}.mp4`,
  path: 'Videos',
  bytes: 1000,
  seconds: 12,
  title: `Clip ${id}`,
  date: '07/04/2019',
  source: 'metadata',
  warning: null,
  others: [],
  tags: [],
  duplicate: null,
  isLivePhoto: false,
  problem: null,
  isIncluded: true,
  ...more,
});

const rows = (count: number) => Array.from({ length: count }, (_, n) => row(`${n}`));

const run = (state: ReviewState, ...actions: ReviewAction[]) => actions.reduce(reviewReducer, state);

const edit = (ids: string[], ...changes: RowChange[]): ReviewAction => ({ type: 'edit', ids, changes });

describe('editing', () => {
  it('keeps every row that does not change as the same object', () => {
    const before = startReview(rows(3));
    const after = run(before, edit(['1'], { kind: 'title', title: ' Lake ' }));
    expect(after.rows.map((one, n) => one === before.rows[n])).toEqual([true, false, true]);
    expect(rowOf(after, '1')?.title).toBe('Lake');
    const same = run(after, edit(['0', '1'], { kind: 'title', title: 'Lake' }, { kind: 'confirm' }));
    expect(same.rows[1]).toBe(after.rows[1]);
  });

  it('marks a typed date as the person’s, clears the warning, and offers the found date again', () => {
    const unsure = row('a', { warning: 'Check this.', others: [{ date: '06/01/2015', source: 'name' }] });
    const typed = run(
      startReview([unsure]),
      edit(['a'], { kind: 'date', date: '07/05/2019', source: 'you' }),
    );
    expect(rowOf(typed, 'a')).toMatchObject({
      date: '07/05/2019',
      source: 'you',
      warning: null,
      others: [
        { date: '07/04/2019', source: 'metadata' },
        { date: '06/01/2015', source: 'name' },
      ],
    });
    const back = run(typed, edit(['a'], { kind: 'found', source: 'metadata' }));
    expect(rowOf(back, 'a')).toMatchObject({ date: '07/04/2019', source: 'metadata', warning: null });
    expect(rowOf(back, 'a')?.others).toEqual([{ date: '06/01/2015', source: 'name' }]);
  });

  it('changes a whole selection: dates, titles, tags, and what is left out', () => {
    const first = row('0', { date: '02/28/2020', others: [{ date: '01/01/2018', source: 'name' }] });
    const start = startReview([first, row('1', { date: '' }), row('2', { problem: 'Too large.' })]);
    const all = ['0', '1', '2'];
    const shifted = run(start, edit(all, { kind: 'shift', days: 2 }));
    expect(shifted.rows.map(({ date }) => date)).toEqual(['03/01/2020', '', '07/06/2019']);
    expect(shifted.status.text).toBe('2 clips moved 2 days later.');
    const named = run(start, edit(all, { kind: 'found', source: 'name' }));
    expect(named.rows.map(({ date }) => date)).toEqual(['01/01/2018', '', '07/04/2019']);
    const tagged = run(
      start,
      edit(['0'], { kind: 'tags', tags: ['Trips'] }),
      edit(all, { kind: 'retag', add: ['trips', 'Family'], remove: [] }),
    );
    expect(tagged.rows.map(({ tags }) => tags)).toEqual([
      ['Trips', 'Family'],
      ['trips', 'Family'],
      ['trips', 'Family'],
    ]);
    const removed = run(tagged, edit(all, { kind: 'retag', add: [], remove: ['TRIPS'] }));
    expect(removed.rows.every(({ tags }) => tags.join() === 'Family')).toBe(true);
    expect(removed.status.text).toBe('“TRIPS” removed from 3 clips.');
    const out = run(start, edit(all, { kind: 'include', isIncluded: false }));
    expect(out.rows.map(({ isIncluded }) => isIncluded)).toEqual([false, false, true]);
  });

  it('takes a tag for the same whatever form its letters have', () => {
    const typed = 'Café'.normalize('NFD');
    const named = run(startReview(rows(1)), edit(['0'], { kind: 'tags', tags: ['Café', typed] }));
    expect(rowOf(named, '0')?.tags).toEqual(['Café']);
    const unnamed = run(named, edit(['0'], { kind: 'retag', add: [], remove: [typed] }));
    expect(rowOf(unnamed, '0')?.tags).toEqual([]);
  });

  it('undoes one change after the other', () => {
    const start = startReview(rows(2));
    const changed = run(
      start,
      edit(['0', '1'], { kind: 'date', date: '01/01/2020', source: 'you' }),
      edit(['0'], { kind: 'title', title: 'Lake' }),
    );
    const once = run(changed, { type: 'undo' });
    expect(once.rows.map(({ title, date }) => [title, date])).toEqual([
      ['Clip 0', '01/01/2020'],
      ['Clip 1', '01/01/2020'],
    ]);
    const twice = run(once, { type: 'undo' });
    expect(twice.rows).toEqual(start.rows);
    expect(run(twice, { type: 'undo' }).status.text).toBe('There’s nothing to undo.');
  });
});

describe('selecting', () => {
  const start = startReview(rows(6));
  const ids = (state: ReviewState) => selectedRows(state).map(({ id }) => id);

  it('extends a range from the last selected row, and shrinks it again', () => {
    const far = run(start, { type: 'toggle', id: '1' }, { type: 'extend', id: '4' });
    expect(ids(far)).toEqual(['1', '2', '3', '4']);
    expect(ids(run(far, { type: 'extend', id: '2' }))).toEqual(['1', '2']);
    expect(ids(run(far, { type: 'extend', id: '0' }))).toEqual(['0', '1']);
    expect(ids(run(start, { type: 'extend', id: '3' }))).toEqual(['3']);
  });

  it('keeps only what a filter shows', () => {
    const some = run(start, edit(['0', '2'], { kind: 'include', isIncluded: false }), { type: 'select_all' });
    expect(ids(run(some, { type: 'filter', filter: 'left_out' }))).toEqual(['0', '2']);
  });
});

describe('filters', () => {
  const mixed = [
    row('fine'),
    row('unsure', { warning: 'Check this.' }),
    row('undated', { date: '', source: null }),
    row('tomorrow', { date: formatUsDate(addDays(localToday(), 1)) }),
    row('untitled', { title: '' }),
    row('long', { title: 'a'.repeat(201) }),
    row('twin', { duplicate: 'Already in your journal: Trip, 07/04/2019', isIncluded: false }),
    row('huge', { problem: 'Too large.', isIncluded: false, date: '' }),
  ];

  it('counts rows, and checks dates and titles only of what is imported', () => {
    const counts = countByFilter(mixed).map(({ filter, count }) => [filter, count]);
    expect(Object.fromEntries(counts)).toEqual({
      all: 8,
      date: 3,
      title: 2,
      duplicate: 1,
      live_photo: 0,
      left_out: 1,
      problem: 1,
    });
  });

  it('says what would be imported, and how many clips can’t be yet', () => {
    const { ready, invalid } = planReview(mixed);
    expect(ready.map(({ id }) => id)).toEqual(['fine', 'unsure']);
    expect(invalid).toBe(4);
  });

  it('keeps showing a row that no longer matches, until the filter is chosen again', () => {
    const filtered = run(startReview(mixed), { type: 'filter', filter: 'date' });
    const confirmed = run(filtered, edit(['unsure'], { kind: 'confirm' }));
    expect(confirmed.shown).toEqual(['unsure', 'undated', 'tomorrow']);
    const again = run(confirmed, { type: 'filter', filter: 'date' });
    expect(again.shown).toEqual(['undated', 'tomorrow']);
  });
});

describe('edits', () => {
  it('survive when the rows are read again', () => {
    const edited = run(startReview(rows(3)), edit(['1'], { kind: 'title', title: 'Lake' }));
    expect(startReview(rows(3), editsOf(edited)).rows).toEqual(edited.rows);
  });

  it('have no entry for rows that are as they were', () => {
    const back = run(
      startReview(rows(2)),
      edit(['0'], { kind: 'include', isIncluded: false }),
      edit(['0'], { kind: 'include', isIncluded: true }),
    );
    expect(editsOf(back).size).toBe(0);
  });

  const day = fc.constantFrom('', '01/01/2020', '13/01/2020', '12/31/2019');
  const source = fc.constantFrom('metadata' as const, 'name' as const, 'folder' as const);
  const found = fc.record({ date: fc.constantFrom('01/01/2020', '02/02/2021'), source });
  const original = fc
    .record({
      date: day,
      source,
      warning: fc.constantFrom(null, 'Check this.'),
      others: fc.uniqueArray(found, { selector: (one) => one.source, maxLength: 2 }),
      tags: fc.uniqueArray(fc.constantFrom('Family', 'Trips'), { maxLength: 2 }),
      problem: fc.constantFrom(null, 'Too large.'),
      isIncluded: fc.boolean(),
    })
    .map((more) => row('a', more));
  const change: fc.Arbitrary<RowChange> = fc.oneof(
    fc.record({ kind: fc.constant('title' as const), title: fc.constantFrom('', 'Lake', 'Clip a') }),
    fc.record({ kind: fc.constant('date' as const), date: day, source: fc.constant('you' as const) }),
    fc.record({ kind: fc.constant('shift' as const), days: fc.integer({ min: -3, max: 3 }) }),
    fc.record({ kind: fc.constant('found' as const), source }),
    fc.record({ kind: fc.constant('confirm' as const) }),
    fc.record({
      kind: fc.constant('retag' as const),
      add: fc.subarray(['family', 'Trips', 'New']),
      remove: fc.subarray(['Family', 'new']),
    }),
    fc.record({ kind: fc.constant('include' as const), isIncluded: fc.boolean() }),
  );
  const facts = ({ others: _, ...rest }: ReviewRow) => rest;

  it('give the same row when they are applied again, and undo restores every step', () => {
    fc.assert(
      fc.property(original, fc.array(change, { maxLength: 8 }), (before, changes) => {
        let state = startReview([before]);
        const steps = [state];
        for (const one of changes) {
          const next = run(state, edit(['a'], one));
          if (next.past.length > state.past.length) steps.push(next);
          state = next;
          const [again] = applyEdits([before], editsOf(state));
          expect(again && facts(again)).toEqual(state.rows[0] && facts(state.rows[0]));
        }
        for (const step of steps.reverse().slice(1)) {
          state = run(state, { type: 'undo' });
          expect(state.rows.map(facts)).toEqual(step.rows.map(facts));
        }
      }),
    );
  });
});
