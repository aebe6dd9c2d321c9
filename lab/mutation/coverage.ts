import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import { parse } from './catalog';
import { addProbes } from './functions';
import type { Mutant } from './mutant';
import { startTests } from './test-process';

/** What a test file has called, and how long it took. */
interface Coverage {
  /** Of its text. A file that has changed is run again. */
  hash: string;
  passed: boolean;
  ms: number;
  /** Whether it has tests of races, with two connections. */
  races: boolean;
  /** The keys of functions by file. */
  functions: Record<string, string[]>;
}

export type CoverageMap = Record<string, Coverage>;

const MAP = join(projectRoot, 'test-results/mutation/coverage.json');

/** Test files that call the code that decides. What runs in a browser or looks at texts doesn't notice a mutant. */
const TESTS = /^(lib|db|inngest|app|test)\//;
const SLOW_OR_ELSEWHERE =
  /^(lib\/video\/(speech|media)\/|app\/(?!api)|test\/(audit|backup|browser|build|check|compose|deploy|docs|install|lockfile|moonshine|new-env|nginx|openapi|packed|previous|related|release|restore-script|scale|secret|security-doc|selection|service-worker|telemetry))/;

const readTest = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');

const hashOf = (text: string): string => createHash('sha1').update(text).digest('hex');

/** Reads what earlier runs have found out about test files that are still the same. */
function readKnown(files: readonly string[]): CoverageMap {
  const known: CoverageMap = existsSync(MAP) ? JSON.parse(readFileSync(MAP, 'utf8')) : {};
  return Object.fromEntries(
    files.flatMap((file) => {
      const coverage = known[file];
      return coverage?.passed && coverage.hash === hashOf(readTest(file)) ? [[file, coverage]] : [];
    }),
  );
}

/**
 * Finds out which functions each test file calls. Runs the files that are new or have changed, and remembers the rest.
 * @param scope the files whose functions count
 * @param isFresh whether to run all of them
 */
export async function measureCoverage(scope: ReadonlySet<string>, isFresh: boolean): Promise<CoverageMap> {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-coverage-'));
  const rewrite = (path: string, text: string) =>
    scope.has(path) ? addProbes(path, parse(path, text)) : text;
  const tests = await startTests(rewrite, {
    setupFiles: ['./test/next-environment.ts', './test/property-seed.ts', './lab/mutation/coverage-setup.ts'],
    env: { COVERAGE_FOLDER: folder },
  });
  try {
    const files = tests.files.filter((file) => TESTS.test(file) && !SLOW_OR_ELSEWHERE.test(file));
    const known = isFresh ? {} : readKnown(files);
    const missing = files.filter((file) => !known[file]);
    if (missing.length > 0) {
      console.log(`Running ${missing.length} test files to see what they call.`);
      const outcomes = await tests.run(missing);
      const called = new Map(
        readdirSync(folder).map((name) => {
          const { test, functions } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
          return [test as string, functions as Coverage['functions']];
        }),
      );
      for (const { file, passed, ms, failure } of outcomes) {
        if (failure) console.log(`  ${file} fails without a mutant, so it's left out: ${failure}`);
        const text = readTest(file);
        const races = text.includes('duringTransaction(');
        known[file] = { hash: hashOf(text), passed, ms, races, functions: called.get(file) ?? {} };
      }
      mkdirSync(dirname(MAP), { recursive: true });
      writeFileSync(MAP, JSON.stringify(known));
    }
    return known;
  } finally {
    await tests.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How many test files a mutant is shown at most, and for how long, in milliseconds. */
const MAX_FILES = 60;
const MAX_MS = 240_000;

/** How many of the leading folders two paths share. */
function sharedFolders(one: string, other: string): number {
  const [a, b] = [dirname(one).split('/'), dirname(other).split('/')];
  const differs = a.findIndex((folder, index) => folder !== b[index]);
  return differs < 0 ? a.length : differs;
}

/**
 * Returns the test files that call the mutant's function: the nearest first, and of those in a folder the quickest; for a
 * lock, those with races before all others. Code that everything calls is tested by the first of them only.
 */
export function testsFor(
  { file, within, kind }: Mutant,
  coverage: CoverageMap,
): { chosen: string[]; all: number } {
  const all = Object.entries(coverage)
    .filter(([, { passed, functions }]) => passed && functions[file]?.includes(within))
    .map(([test, { ms, races }]) => ({
      test,
      ms,
      rank: (kind === 'lock' && races ? 100 : 0) + sharedFolders(test, file),
    }))
    .sort((a, b) => b.rank - a.rank || a.ms - b.ms);
  const chosen: string[] = [];
  let total = 0;
  for (const { test, ms } of all) {
    total += ms;
    if (chosen.length === MAX_FILES || (chosen.length > 0 && total > MAX_MS)) break;
    chosen.push(test);
  }
  return { chosen, all: all.length };
}
