import { expect, it } from 'vitest';
import { projectRoot } from '@/local/up/data-dir';
import { findMutants } from './catalog';
import { EQUIVALENTS, whyEquivalent } from './equivalents';
import { readScope } from './scope';

it('lists mutants that there are, each with its reason', () => {
  const files = new Set(EQUIVALENTS.map(({ file }) => file));
  const mutants = readScope(projectRoot)
    .filter(({ path }) => files.has(path))
    .flatMap(findMutants);
  const reasons = new Set(mutants.map(whyEquivalent).filter((reason) => reason !== undefined));
  expect([...reasons].sort()).toEqual(EQUIVALENTS.map(({ reason }) => reason).sort());
});
