import { expect, it } from 'vitest';
import { type CoverageMap, testsFor } from './coverage';
import { KINDS, type Kind, type Mutant } from './mutant';
import { sampleMutants } from './sample';

const mutant = (kind: Kind, line: number, file = 'lib/a.ts'): Mutant => ({
  ...{ kind, file, line, start: line * 10, end: line * 10 + 1 },
  ...{ replacement: '', original: 'a', within: '/a' },
});

const MANY = Object.keys(KINDS).flatMap((kind, index) =>
  Array.from({ length: 100 }, (_, line) => mutant(kind as Kind, index * 1000 + line)),
);

it('chooses the same mutants for the same seed, by the shares of their kinds', () => {
  const chosen = sampleMutants(MANY, { count: 100, seed: 7 });
  expect(chosen).toEqual(sampleMutants(MANY, { count: 100, seed: 7 }));
  expect(chosen).not.toEqual(sampleMutants(MANY, { count: 100, seed: 8 }));
  const counts = Object.keys(KINDS).map((kind) => [kind, chosen.filter((one) => one.kind === kind).length]);
  expect(Object.fromEntries(counts)).toEqual(KINDS);
});

it('chooses one mutant of a line, those that are wanted, and others where a kind has too few', () => {
  const few = [mutant('lock', 1), mutant('order', 1), mutant('order', 2), mutant('order', 3)];
  const lines = (chosen: Mutant[]) => chosen.map(({ line }) => line).sort();
  expect(lines(sampleMutants(few, { count: 10, seed: 1 }))).toEqual([1, 2, 3]);
  expect(lines(sampleMutants(few, { count: 2, seed: 1 }))).toHaveLength(2);
  expect(lines(sampleMutants(few, { count: 10, seed: 1, isWanted: ({ line }) => line > 1 }))).toEqual([2, 3]);
});

it('shows a mutant to the nearest tests that call it, the quickest first, and a lock to those with races', () => {
  const calls = (ms: number, { passed = true, races = false, within = '/a' } = {}) => ({
    ...{ hash: '', passed, ms, races },
    functions: { 'lib/journal/tags/service.ts': [within] },
  });
  const coverage: CoverageMap = {
    'test/contracts.test.ts': calls(10),
    'lib/journal/tags/slow.test.ts': calls(900),
    'lib/journal/tags/quick.test.ts': calls(100),
    'lib/journal/notes/notes.test.ts': calls(50),
    'lib/account/races.test.ts': calls(5000, { races: true }),
    'lib/journal/tags/broken.test.ts': calls(5, { passed: false }),
    'lib/journal/tags/other.test.ts': calls(5, { within: '/b' }),
  };
  const near = [
    'lib/journal/tags/quick.test.ts',
    'lib/journal/tags/slow.test.ts',
    'lib/journal/notes/notes.test.ts',
  ];
  const far = ['lib/account/races.test.ts', 'test/contracts.test.ts'];
  const testsOf = (kind: Kind) => testsFor(mutant(kind, 1, 'lib/journal/tags/service.ts'), coverage);
  expect(testsOf('order')).toEqual({ chosen: [...near, ...far], all: 5 });
  expect(testsOf('lock')).toEqual({ chosen: [far[0], ...near, far[1]], all: 5 });
});
