import { expect, it } from 'vitest';
import { findBannedNames } from '@/scripts/check-names';

it('names the line, the banned name and what to use', () => {
  expect(findBannedNames('const a = 1;\n// Deletes it for good.\n')).toEqual([
    { line: 2, message: '"for good" is banned; use permanently, forever' },
  ]);
});

it.each([
  ['const uploadWish = 1;', true],
  ['const UPLOAD_WITHIN = 5;', true],
  ["it('waits for the till')", true],
  ['until the end; still; a tilled field', false],
  ["kind: 'ways-in.disabled'", false],
  ['export function indoors() {}', false],
])('checks %s', (line, banned) => {
  expect(findBannedNames(line).length > 0).toBe(banned);
});
