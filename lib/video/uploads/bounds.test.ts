import { describe, expect, it } from 'vitest';
import { atMost, type BoundCase, between, idFor, letters, many, tryBound, upTo } from '@/test/bounds';
import * as contract from './contract';

const md5 = `${'A'.repeat(22)}==`;
const file = { file_name: 'a.mp4', content_type: 'video/mp4' };
const upload = { ...file, title: 'A day', journal_date: '2026-03-01' };
const part = (more: object) => ({ parts: [{ number: 1, size: 1, md5, ...more }] });
const finished = { title: 'A day', journal_date: '2026-03-01', size: 1 };
/** A video's type of so many characters. */
const type = (size: number) => `video/${letters(size - 6)}`;

const CASES: BoundCase[] = [
  ['a title', contract.presignedUrl.query, (n) => ({ ...upload, title: letters(n) }), between(1, 200)],
  [
    'a file’s name',
    contract.presignedUrl.query,
    (n) => ({ ...upload, file_name: letters(n) }),
    between(1, 255),
  ],
  ['a file’s type', contract.presignedUrl.query, (n) => ({ ...upload, content_type: type(n) }), atMost(200)],
  [
    'the name of a recording’s file',
    contract.openUpload.body,
    (n) => ({ ...file, client_id: idFor(1), file_name: letters(n) }),
    between(1, 255),
  ],
  [
    'the type of a recording',
    contract.openUpload.body,
    (n) => ({ ...file, client_id: idFor(1), content_type: type(n) }),
    atMost(200),
  ],
  // 4 GB in parts of 8 MiB.
  ['a part’s number', contract.signParts.body, (number) => part({ number }), between(1, 477)],
  ['a part’s size', contract.signParts.body, (size) => part({ size }), between(1, 8_388_608)],
  [
    'parts to sign',
    contract.signParts.body,
    (n) => ({ parts: many(n, (nth) => ({ number: nth + 1, size: 1, md5 })) }),
    upTo(8),
  ],
  [
    'parts to assemble',
    contract.finishUpload.body,
    (n) => ({ ...finished, parts: many(n, () => md5) }),
    upTo(477),
  ],
];

describe('the limits of uploads', () => {
  it.each(CASES)('hold for %s', (_name, schema, send, bound) => {
    expect(tryBound(schema, send, bound)).toEqual(bound);
  });

  it('take no empty file, and no video without a length', () => {
    const isTaken = (more: object) => contract.presignedUrl.query.safeParse({ ...upload, ...more }).success;
    expect(['0', '1', '1.5'].map((size) => isTaken({ size }))).toEqual([false, true, false]);
    expect(['0', '0.001', '-1'].map((duration) => isTaken({ duration }))).toEqual([false, true, false]);
  });
});
