import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextPath } from './next-path';

it.each(['/journals', '/entry/1/A%20day?t=65', '/search?query=a%2Fb#x'])('keeps %s', (path) => {
  expect(nextPath(path)).toBe(path);
});

it.each([
  undefined,
  '',
  'journals',
  '//elsewhere.example',
  '///elsewhere.example',
  '/\\elsewhere.example',
  '/\t/elsewhere.example',
  '/.//elsewhere.example',
  '/..//elsewhere.example',
  'https://elsewhere.example',
  'javascript:alert(1)',
  '/logout',
  '/login?next=/login',
])('goes home instead of to %j', (path) => {
  expect(nextPath(path)).toBe('/');
});

it('goes home when it is given twice', () => {
  expect(nextPath(['/a', '/b'])).toBe('/');
});

it('stays on this site whatever it is given', () => {
  const pieces = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '@',
    ':',
    '?',
    '#',
    '\t',
    '\n',
    ' ',
    '%2f',
    '%5c',
    'http:',
    'a',
    '\u2044',
  );
  const hostile = fc.array(pieces, { maxLength: 12 }).map((parts) => `/${parts.join('')}elsewhere.example`);
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (next) => {
      expect(new URL(nextPath(next), 'https://here.example/login').origin).toBe('https://here.example');
    }),
    { numRuns: 2000 },
  );
});
