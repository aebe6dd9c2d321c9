import { expect, it } from 'vitest';
import { describeContents } from './contents';

const NOTHING = {
  entries: 0,
  entriesInTrash: 0,
  bytes: 0,
  seconds: 0,
  transcripts: 0,
  revisions: 0,
  notes: 0,
  tags: 0,
  hiddenMemories: 0,
  vocabulary: 0,
};

it('counts each kind in words', () => {
  const some = { ...NOTHING, entries: 2140, entriesInTrash: 3, bytes: 31_200_000_000, notes: 1 };
  expect(describeContents({ ...some, transcripts: 2, revisions: 3, hiddenMemories: 2 })).toEqual([
    '2,140 entries, 3 of them in the trash',
    '31.20 GB of video',
    '2 transcripts with 3 revisions',
    '1 note',
    '2 hidden memories',
  ]);
});

it('leaves out what there is none of', () => {
  expect(describeContents(NOTHING)).toEqual([]);
});
