import { expect, it } from 'vitest';
import { continueLabel, pathAfterVerifying } from './safe-next-path';

it.each([
  [undefined, '/upload'],
  ['/', '/upload'],
  ['//elsewhere.example', '/upload'],
  ['/logout', '/upload'],
  [`/search?query=${'a'.repeat(1000)}`, '/upload'],
  ['/upload?keep=1', '/upload?keep=1'],
  ['/settings/plan', '/settings/plan'],
])('after verifying, %s leads to %s', (next, path) => {
  expect(pathAfterVerifying(next)).toBe(path);
});

it('says what comes next', () => {
  expect(continueLabel('/upload')).toBe('Record your first entry');
  expect(continueLabel('/settings')).toBe('Continue');
});
