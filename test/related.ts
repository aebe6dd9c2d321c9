import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';
import type { Selection } from './selection';

const SOURCE = /\.(ts|tsx|mjs|cjs)$/;
const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)['"]((?:@\/|\.{1,2}\/)[^'"]+)['"]/g;
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '.cjs'];

const git = (root: string, args: string[]): string[] =>
  execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .split('\n')
    .filter(Boolean);

/** Returns the files that differ from the branch's upstream, or from the last commit but one if nothing does. */
export function changedFiles(root: string): string[] {
  const isRepository = (ref: string) => {
    try {
      return git(root, ['rev-parse', '--verify', '--quiet', ref]).length > 0;
    } catch {
      return false;
    }
  };
  const base = isRepository('@{upstream}') ? '@{upstream}' : 'HEAD';
  const since = (ref: string) => git(root, ['diff', '--name-only', '--diff-filter=d', ref]);
  const created = git(root, ['ls-files', '--others', '--exclude-standard']);
  const changed = [...since(base), ...created];
  return changed.length > 0 || !isRepository('HEAD~1') ? changed : since('HEAD~1');
}

/** Returns which files import each file, by the paths they write. */
function importers(root: string, files: readonly string[]): Map<string, string[]> {
  const known = new Set(files);
  const found = new Map<string, string[]>();
  for (const file of files) {
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const target = path.startsWith('@/') ? path.slice(2) : normalize(join(dirname(file), path));
      const imported = ENDINGS.map((ending) => target + ending).find((name) => known.has(name));
      if (imported) found.set(imported, [...(found.get(imported) ?? []), file]);
    }
  }
  return found;
}

/**
 * Returns the unit tests that changed files are reached from, the nearest first: the changed tests, those that import a
 * changed file, those that import what imports one, and so on.
 * @param limit how many at most
 */
export function relatedTests(root: string, changed: readonly string[], limit: number): string[] {
  const files = git(root, ['ls-files', '--cached', '--others', '--exclude-standard']).filter(
    (name) => SOURCE.test(name) && existsSync(join(root, name)),
  );
  const importedBy = importers(root, files);
  const seen = new Set(changed.filter((name) => SOURCE.test(name)));
  for (const name of seen) for (const importer of importedBy.get(name) ?? []) seen.add(importer);
  return [...seen].filter((name) => /\.test\.tsx?$/.test(name)).slice(0, limit);
}

/**
 * Returns the tests that `vitest related` can find for its files, as globs, or undefined for any other command. To find
 * them itself, vitest transforms every test and all that it imports; here, imports are only read.
 * @param args the program's, from the command on
 */
export function relatedGlobs(root: string, [command, ...args]: readonly string[]): string[] | undefined {
  if (command !== 'related') return undefined;
  const files = args.filter((arg) => !arg.startsWith('-')).map((name) => relative(root, resolve(root, name)));
  // Only these import, and are imported, in a way that's read here.
  if (!files.every((name) => SOURCE.test(name))) return undefined;
  return relatedTests(root, files, Number.POSITIVE_INFINITY).map((name) =>
    name.replace(/[[\](){}*?!]/g, '\\$&'),
  );
}

/** How many tests `npm test -- quick` runs, which takes about half a minute. */
const MOST = 12;

/** Selects what `npm test -- quick` runs: lint, and the unit tests that are closest to what has changed. */
export function selectRelated(root: string): Selection {
  const unit = relatedTests(root, changedFiles(root), MOST);
  return unit.length > 0 ? { suites: ['lint', 'unit'], files: { unit } } : { suites: ['lint'], files: {} };
}
