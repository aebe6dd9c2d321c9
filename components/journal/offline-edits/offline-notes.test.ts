import { expect, it } from 'vitest';
import type { Edit } from './edit';
import { showNotes } from './offline-notes';

const note = (id: string, text: string) => ({
  id,
  text,
  moment: null,
  createdAt: '2026-11-01T10:00:00.000Z',
});

const stored = { owner: 'o', entryId: 'e', title: 'A day', version: '1', problem: null, moment: null };
const added = (target: string, text: string, madeAt: number): Edit => ({
  ...stored,
  ...{ kind: 'added-note', target, text, madeAt, deleted: false, sentText: null },
});
const changed = (target: string, text: string, deleted = false): Edit => ({
  ...stored,
  ...{ kind: 'changed-note', target, text, madeAt: 1, deleted, before: 'Before' },
});

it('shows notes as this device changed them, with new ones first', () => {
  const edits = [
    added('n1', 'Older', 1),
    changed('b', 'Edited'),
    added('n2', 'Newer', 2),
    changed('c', 'C', true),
  ];
  const shown = showNotes([note('a', 'A'), note('b', 'Before'), note('c', 'C')], edits);
  expect(shown.map(({ note: { id, text }, edit }) => [id, text, edit?.deleted ?? null])).toEqual([
    ['n2', 'Newer', false],
    ['n1', 'Older', false],
    ['a', 'A', null],
    ['b', 'Edited', false],
    ['c', 'C', true],
  ]);
});

it('shows a changed note that the copy of its entry doesn’t have', () => {
  expect(showNotes([], [changed('b', 'Edited')])).toMatchObject([{ note: { id: 'b', text: 'Edited' } }]);
});
