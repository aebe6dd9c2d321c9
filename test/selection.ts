import { existsSync, readdirSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';

const SUITES = ['lint', 'unit', 'e2e'] as const;
export type Suite = (typeof SUITES)[number];
export const isSuite = (name: string): name is Suite => SUITES.some((suite) => suite === name);

/** The files of the suites that consist of files, relative to the project. */
export type TestFiles = Record<'unit' | 'e2e', string[]>;

/** What to run. A suite without files runs as a whole. */
export interface Selection {
  suites: Suite[];
  files: Partial<TestFiles>;
}

const UNIT_FOLDERS = ['app', 'components', 'db', 'inngest', 'lab', 'lib', 'local', 'test'];

function findFiles(folder: string, ending: RegExp): string[] {
  const path = join(projectRoot, folder);
  if (!existsSync(path)) return [];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => ending.test(name)).map((name) => join(folder, name));
}

export const listTestFiles = (): TestFiles => ({
  unit: UNIT_FOLDERS.flatMap((folder) => findFiles(folder, /\.test\.tsx?$/)),
  e2e: findFiles('e2e', /\.spec\.ts$/),
});

/**
 * Selects what the arguments of `npm test` name: suites, and parts of paths, which choose files from both kinds of
 * tests or from the suites that are named too. Everything when there are none.
 * @throws Error for an argument that matches neither
 */
export function selectTests(args: readonly string[], all: TestFiles): Selection {
  const suites = args.filter(isSuite);
  const patterns = args.filter((arg) => !isSuite(arg));
  if (patterns.length === 0) return { suites: suites.length > 0 ? suites : [...SUITES], files: {} };
  const kinds = (['unit', 'e2e'] as const).filter((kind) => suites.length === 0 || suites.includes(kind));
  const files: TestFiles = { unit: [], e2e: [] };
  for (const pattern of patterns) {
    const part = isAbsolute(pattern) ? relative(projectRoot, pattern) : pattern.replace(/^\.\//, '');
    const before = files.unit.length + files.e2e.length;
    for (const kind of kinds) files[kind].push(...all[kind].filter((file) => file.includes(part)));
    if (files.unit.length + files.e2e.length === before) {
      throw new Error(`No test file matches "${pattern}". The suites are ${SUITES.join(', ')}.`);
    }
  }
  const chosen = kinds.filter((kind) => files[kind].length > 0);
  return {
    suites: [...suites.filter((suite) => suite === 'lint'), ...chosen],
    files: Object.fromEntries(chosen.map((kind) => [kind, [...new Set(files[kind])]])),
  };
}
