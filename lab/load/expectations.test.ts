import { expect, it } from 'vitest';
import type { Entry } from '@/lib/journal/entries/contract';
import type { EntryRow } from './evidence';
import { compareEntry, compareRows } from './expectations';
import type { UploadKind } from './schedule';
import type { Outcome } from './uploads';

const outcome = (kind: UploadKind, title: string, entryId: string | null): Outcome => ({
  ...{ kind, title, entryId, person: 1, at: 0, problem: null },
  ...{ sentMs: null, playableMs: null, edits: null },
});

const row = (id: string, title: string, trashed = false): EntryRow => ({
  ...{ id, title, trashed, userId: 'u', bytes: 1, objects: [], storedOnce: false },
  ...{ videoStatus: 'ready', transcriptStatus: 'no_speech' },
});

const entry = (videoStatus: string, videoError: string | null, status: string, text = '') =>
  ({
    videoStatus,
    videoError,
    transcription: { status, words: text.split(' ').map((word) => ({ word })) },
  }) as Entry;

it('takes one entry for each upload, also a renamed one and one in the trash, and none for a refused one', () => {
  const outcomes = [
    outcome('copied', 'Upload 0001', 'a'),
    outcome('in the trash', 'Upload 0002', 'b'),
    outcome('refused', 'Upload 0003', null),
    outcome('deleted', 'Upload 0004', 'd'),
  ];
  expect(compareRows(outcomes, [row('a', 'Upload 0001, renamed'), row('b', 'Upload 0002', true)])).toEqual(
    [],
  );
});

it('notices entries that are lost, doubled, someone else’s, restored, or from nowhere', () => {
  const copied = [outcome('copied', 'Upload 0001', 'a')];
  expect(compareRows(copied, [])).toEqual(['“Upload 0001” (copied) has 0 entries: ']);
  expect(compareRows(copied, [row('a', 'Upload 0001'), row('b', 'Upload 0001')])).toHaveLength(1);
  expect(compareRows(copied, [row('b', 'Upload 0001')])).toEqual([
    '“Upload 0001” is b, and its person was told a',
  ]);
  expect(compareRows(copied, [row('a', 'Upload 0001', true)])).toEqual(['“Upload 0001” is in the trash']);
  expect(compareRows([], [row('a', 'Upload 0001')])).toEqual(['“Upload 0001” (a) was never uploaded']);
  const deleted = [outcome('deleted', 'Upload 0001', 'a')];
  expect(compareRows(deleted, [row('a', 'Upload 0001')])[0]).toContain('has 1 entries');
});

it('notices a state that an upload of its kind mustn’t end in', () => {
  expect(compareEntry('copied', entry('ready', null, 'no_speech'))).toEqual([]);
  expect(compareEntry('copied', entry('processing', null, 'processing'))).toHaveLength(2);
  expect(compareEntry('copied', null)).toEqual(['isn’t in the journal']);
  expect(compareEntry('deleted', entry('ready', null, 'no_speech'))).toEqual(['is still in the journal']);
  const sentence = 'We couldn’t find any video in this file.';
  expect(compareEntry('no video', entry('failed', sentence, 'failed'))).toEqual([]);
  expect(compareEntry('no video', entry('failed', 'Something else.', 'failed'))).toEqual([
    'says “Something else.”',
  ]);
  expect(compareEntry('spoken', entry('ready', null, 'completed', 'an ill disposed young man'))).toEqual([]);
  expect(compareEntry('spoken', entry('ready', null, 'completed', 'a dog'))).toEqual(['heard “a dog”']);
});
