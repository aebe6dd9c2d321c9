import { expect, it } from 'vitest';
import type { FindingKind } from './finding-kinds';
import { Findings } from './findings';

/** Finds some of a kind, of which the first are repaired. */
function found(kind: FindingKind, count: number, { repaired = 0, bytes = 0 } = {}) {
  const findings = new Findings();
  for (let n = 1; n <= count; n += 1) findings.add(kind, `id-${n}`, { isRepaired: n <= repaired, bytes });
  return findings;
}

const COPIES = 'entries lack a video, small video, thumbnail, or storyboard.';
const REPAIR = '--repair recreates them.';
const ADVICE = 'A thumbnail needs the original. Restore that first, then run this again.';
const problem = (...lines: string[]) => ({ problems: [lines.join('\n')], notes: [] });
const note = (...lines: string[]) => ({ problems: [], notes: [lines.join('\n')] });

it('says how many were found, how large they are, what repairs them, and which five are among them', () => {
  const one = found('copy-lost', 1).describe('Files', false);
  expect(one).toEqual(
    problem('1 entry lacks a video, small video, thumbnail, or storyboard.', REPAIR, 'id-1'),
  );
  expect(found('copy-lost', 5).describe('Files', false)).toEqual(
    problem(`5 ${COPIES}`, REPAIR, 'id-1, id-2, id-3, id-4, id-5'),
  );
  expect(found('copy-lost', 1200, { bytes: 1000 }).describe('Files', false)).toEqual(
    problem(`1,200 ${COPIES} (1.20 MB)`, REPAIR, 'For example: id-1, id-2, id-3, id-4, id-5'),
  );
});

it('says what was repaired, and what to do about the rest', () => {
  const repaired = (count: number) => found('copy-lost', 3, { repaired: count }).describe('Files', true);
  expect(repaired(3)).toEqual(note(`3 ${COPIES}`, 'Repaired.'));
  expect(repaired(2)).toEqual(problem(`3 ${COPIES}`, 'Repaired 2.', ADVICE, 'id-3'));
  expect(repaired(0)).toEqual(problem(`3 ${COPIES}`, ADVICE, 'id-1, id-2, id-3'));
});

it('says that there may be more', () => {
  const partial = found('copy-lost', 2, { repaired: 2 });
  partial.expectMore('copy-lost');
  partial.expectMore('entry-lost');
  expect(partial.describe('Files', true)).toEqual(
    problem(`At least 2 ${COPIES}`, 'Repaired 2.', 'There may be more. Run this again.'),
  );
  expect(partial.describe('Files', false)).toEqual(problem(`At least 2 ${COPIES}`, 'Repaired 2.', REPAIR));
});

it('says what to do about what it can’t repair, whether or not it may, and lists all that an operator needs', () => {
  for (const mayRepair of [false, true]) {
    const { problems } = found('video-unowned', 6).describe('Files', mayRepair);
    const [said = '', advice = '', ...ids] = problems.flatMap((text) => text.split('\n'));
    expect(said).toMatch(/^6 folders in storage have videos that no entry refers to/);
    expect(advice).toMatch(/^If the database was restored from an older backup/);
    expect(ids).toEqual(['id-1', 'id-2', 'id-3', 'id-4', 'id-5', 'id-6']);
  }
});

it('tells what’s no problem as a note, and nothing of other checks', () => {
  const unknown = found('object-unknown', 2);
  const said =
    '2 objects in storage have a key that this version of Daylight doesn’t use. It won’t delete them.';
  expect(unknown.describe('Files', true)).toEqual(note(said, 'id-1, id-2'));
  expect(unknown.describe('Uploads', true)).toEqual({ problems: [], notes: [] });
});

it('takes what another comparison knows of a kind, also that there’s nothing', () => {
  const [first, second] = [found('copy-lost', 2), found('copy-lost', 1)];
  first.take('copy-lost', second);
  expect(first.describe('Files', true)).toEqual(second.describe('Files', true));
  first.take('copy-lost', new Findings());
  expect(first.describe('Files', true)).toEqual({ problems: [], notes: [] });
});
