import { expect, it } from 'vitest';
import { totalOf } from './fetch-piece';

it('reads the size of a whole file from the range of a piece', () => {
  expect(totalOf('bytes 0-8388607/48120332')).toBe(48_120_332);
  expect(totalOf('bytes 0-0/1')).toBe(1);
});

it('returns null for a range that doesn’t say', () => {
  for (const range of [null, '', 'bytes 0-1/*', 'bytes */12', 'items 0-1/2'])
    expect(totalOf(range)).toBeNull();
});
