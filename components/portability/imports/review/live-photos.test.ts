import { describe, expect, it } from 'vitest';
import { toReviewRows } from '@/components/portability/imports/clips/clip-review';
import { sourceOfFile } from '@/components/portability/imports/sources/source-file';
import { describeLivePhotos, describeStatus } from './describe-row';
import { countByFilter, planReview } from './review-filters';
import { editsOf, type ReviewState, reviewReducer, startReview } from './review-state';

const clipOf = (id: string, isLivePhoto: boolean) => ({
  ...{ id, title: `Clip ${id}`, isTitleTelling: true, isLivePhoto, type: 'video/quicktime', seconds: 2 },
  ...{ notes: [], tags: [], file: sourceOfFile(new File(['x'], `${id}.MOV`)) },
  date: { date: '2020-05-06', source: 'metadata' as const, warning: null, others: [], startedAt: null },
});

const clips = [clipOf('video', false), clipOf('live', true), clipOf('other', true)];
const rows = toReviewRows({
  ...{ kind: 'files', handles: [], clips, duplicates: new Map(), problems: new Map(), refused: [] },
  ...{ withoutVideo: 0, usage: {} as never },
});
const readyIds = ({ rows: all }: ReviewState) => planReview(all).ready.map(({ id }) => id);
const include = (ids: string[]) =>
  ({ type: 'edit', ids, changes: [{ kind: 'include', isIncluded: true }] }) as const;

describe('clips of Live Photos', () => {
  it('are left out, and not among all, with the reason where they’re listed', () => {
    const start = startReview(rows);
    expect(start.shown).toEqual(['video']);
    expect(readyIds(start)).toEqual(['video']);
    const counts = countByFilter(start.rows).map(({ filter, count }) => [filter, count]);
    expect(Object.fromEntries(counts)).toMatchObject({ all: 1, live_photo: 2, left_out: 2 });
    const { shown, rows: all } = reviewReducer(start, { type: 'filter', filter: 'live_photo' });
    expect(shown).toEqual(['live', 'other']);
    expect(all.map((row) => describeStatus(row)?.text)).toEqual([
      undefined,
      'Left out. Part of a Live Photo.',
      'Left out. Part of a Live Photo.',
    ]);
  });

  it('can be included, one or all, which outlives a reload and can be undone', () => {
    const listed = reviewReducer(startReview(rows), { type: 'filter', filter: 'live_photo' });
    const one = reviewReducer(listed, include(['live']));
    expect(readyIds(one)).toEqual(['video', 'live']);
    expect(startReview(rows, editsOf(one)).shown).toEqual(['video', 'live']);
    const selected = reviewReducer(listed, { type: 'select_all' });
    expect([...selected.selected]).toEqual(['live', 'other']);
    const all = reviewReducer(selected, include([...selected.selected]));
    expect(readyIds(all)).toEqual(['video', 'live', 'other']);
    expect(reviewReducer(all, { type: 'filter', filter: 'all' }).shown).toEqual(['video', 'live', 'other']);
    expect(readyIds(reviewReducer(all, { type: 'undo' }))).toEqual(['video']);
  });

  it('are counted for the person', () => {
    expect(describeLivePhotos(1)).toBe(
      '1 clip belongs to a Live Photo, so it’s left out. To include it, select Live Photos below.',
    );
    expect(describeLivePhotos(1200)).toMatch(/^1,200 clips belong to Live Photos, so they’re left out\./);
  });
});
