import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeNextPath } from './safe-next-path';

it.each([
  '/',
  '/journals',
  '/settings/?tab=security',
  '/settings/plan/?choose=Basic',
  '/entry/1',
  '/entry/1/A%20day?t=65',
  '/entry/1/AC%2FDC...%20live',
  '/search?query=a%2Fb#x',
  '/search?query=/api/v1/logout',
])('keeps %s', (path) => {
  expect(safeNextPath(path)).toBe(path);
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
  '/api/v1/logout',
  '/api/v1/entry/1/upload/complete',
  '/API/v1/logout',
  '/%61pi/v1/logout',
  '/api%2Fv1%2Flogout',
  '/journals/../api/v1/logout',
  '/journals/%2e%2e/api/v1/logout',
  '/journals/..%2fapi/v1/logout',
  '/entry/..%2f..%2fapi%2fv1%2flogout',
  '/entry/..%5c..%5capi%5cv1%5clogout',
  '/entry/%252e%252e/api/v1/logout',
  '/entry/1/%2e%2e/%2e%2e/%2e%2e/api/v1/logout',
  '/entry/%',
  '/\\api\\v1\\logout',
  '/./api/v1/logout',
  '/_next/image?url=/api/v1/logout',
  '/verify_email/a/b/',
  '/change_email/a/b/',
  '/reset/a/b/',
  '/nowhere',
])('goes home instead of to %j', (path) => {
  expect(safeNextPath(path)).toBe('/');
});

const foldersIn = (path: string) =>
  readdirSync(path, { withFileTypes: true }).filter((item) => item.isDirectory());

it('keeps every page of the journal and of the settings', () => {
  const folders = foldersIn('app/(journal)');
  const examples: Record<string, string> = { entry: '/entry/1', day: '/day/2026-11-18' };
  const pages = folders.map(({ name }) => examples[name] ?? `/${name}`);
  expect(pages.length).toBeGreaterThan(5);
  pages.push(...foldersIn('app/(journal)/settings').map(({ name }) => `/settings/${name}`));
  for (const page of pages) expect(safeNextPath(page)).toBe(page);
});

it('goes home when it is given twice', () => {
  expect(safeNextPath(['/a', '/b'])).toBe('/');
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
      expect(new URL(safeNextPath(next), 'https://here.example/login').origin).toBe('https://here.example');
    }),
    { numRuns: 2000 },
  );
});
