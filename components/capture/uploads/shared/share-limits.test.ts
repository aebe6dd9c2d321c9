import { expect, it } from 'vitest';
import { findSharesToDelete, isShareTooLarge, MAX_WAITING } from './share-limits';

const files = (count: number, size: number) => Array.from({ length: count }, () => ({ size }));
const waiting = (share: string, sharedAt: number, sizes: readonly number[]) =>
  sizes.map((size) => ({ share, sharedAt, file: { size } }));

it('accepts one share up to its number of videos and bytes', () => {
  const { videos, bytes } = MAX_WAITING;
  expect(isShareTooLarge(files(videos, 1))).toBe(false);
  expect(isShareTooLarge(files(videos + 1, 1))).toBe(true);
  expect(isShareTooLarge(files(2, bytes / 2))).toBe(false);
  expect(isShareTooLarge(files(2, bytes / 2 + 1))).toBe(true);
});

it('makes space for a share by deleting the oldest ones, each as a whole', () => {
  const gigabytes = (count: number) => count * 1e9;
  const before = [
    ...waiting('old', 1, [1, 1]),
    ...waiting('large', 2, [gigabytes(3), gigabytes(2)]),
    ...waiting('new', 3, [gigabytes(1)]),
  ];
  expect([...findSharesToDelete(before, files(1, gigabytes(1)))]).toEqual([]);
  expect([...findSharesToDelete(before, files(1, gigabytes(3)))]).toEqual(['large', 'old']);
  expect([...findSharesToDelete(before, files(1, gigabytes(8)))]).toEqual(['new', 'large', 'old']);
});

it('makes space by number, too', () => {
  const before = Array.from({ length: MAX_WAITING.videos }, (_, n) => waiting(`${n}`, n, [1])).flat();
  expect([...findSharesToDelete(before, files(2, 1))]).toEqual(['1', '0']);
});
