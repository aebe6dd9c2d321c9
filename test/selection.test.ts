import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '@/local/up/data-dir';
import { listTestFiles, selectTests } from './selection';

const all = {
  unit: [
    'lib/journal/search/query.test.ts',
    'lib/journal/tags/service.test.ts',
    'components/journal/search/box.test.tsx',
  ],
  e2e: ['e2e/journeys/search.spec.ts', 'e2e/api/entries.spec.ts'],
};

it('runs every suite as a whole without arguments', () => {
  expect(selectTests([], all)).toEqual({ suites: ['lint', 'unit', 'e2e'], files: {} });
});

it('runs a named suite as a whole', () => {
  expect(selectTests(['unit'], all)).toEqual({ suites: ['unit'], files: {} });
});

it('runs only the unit files and specs whose path contains a pattern', () => {
  expect(selectTests(['search'], all)).toEqual({
    suites: ['unit', 'e2e'],
    files: {
      unit: ['lib/journal/search/query.test.ts', 'components/journal/search/box.test.tsx'],
      e2e: ['e2e/journeys/search.spec.ts'],
    },
  });
});

it.each([
  'lib/journal/tags/service.test.ts',
  './lib/journal/tags',
  join(projectRoot, 'lib/journal/tags/service.test.ts'),
])('starts no browser for %s, which matches unit files alone', (pattern) => {
  expect(selectTests([pattern], all)).toEqual({
    suites: ['unit'],
    files: { unit: ['lib/journal/tags/service.test.ts'] },
  });
});

it('limits patterns to the suite named beside them', () => {
  expect(selectTests(['e2e', 'search', 'entries'], all)).toEqual({
    suites: ['e2e'],
    files: { e2e: ['e2e/journeys/search.spec.ts', 'e2e/api/entries.spec.ts'] },
  });
});

it('selects a file once that two patterns match', () => {
  expect(selectTests(['lib/journal/tags', 'service'], all).files.unit).toEqual([
    'lib/journal/tags/service.test.ts',
  ]);
});

it('rejects a pattern that matches nothing', () => {
  expect(() => selectTests(['search', 'sarch'], all)).toThrow('No test file matches "sarch"');
});

it('lists the test files of the project', () => {
  const { unit, e2e } = listTestFiles();
  expect(unit).toContain('test/selection.test.ts');
  expect(unit.every((file) => /\.test\.tsx?$/.test(file))).toBe(true);
  expect(e2e).toContain('e2e/resilience.spec.ts');
});
