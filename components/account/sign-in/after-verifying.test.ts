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

it.each([
  ['/upload', 'Record your first entry'],
  ['/upload?question=3', 'Record your first entry'],
  ['/upload?keep=1', 'Continue to your recording'],
  ['/settings/plan?choose=Basic', 'Continue to your plan'],
  ['/settings', 'Continue to your settings'],
  ['/journals', 'Continue to your journal'],
  ['/search?keep=1', 'Continue to your journal'],
])('the button that goes to %s says: %s', (path, label) => {
  expect(continueLabel(path)).toBe(label);
});
