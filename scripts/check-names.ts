import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const LIST = 'scripts/banned-names.json';
const FOLDERS = [
  'app',
  'components',
  'lib',
  'db',
  'inngest',
  'local',
  'test',
  'e2e',
  'lab',
  'docs',
  'scripts',
];
/** Generated SQL and snapshots keep the names of their time. */
const SKIPPED =
  /^db\/migrations\/|^scripts\/banned-names\.json$|^(?:scripts|test)\/check-names(?:\.test)?\.ts$/;
const TEXT = /\.(?:tsx?|mjs|cjs|css|md)$/;

const rules = z
  .object({
    rules: z.array(
      z.object({
        pattern: z.string().transform((source) => new RegExp(source, 'g')),
        /** What to write instead. */
        use: z.string(),
        /** Patterns whose matches are removed from a line before it's checked. */
        allow: z.array(z.string().transform((source) => new RegExp(source, 'g'))).default([]),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(LIST, 'utf8'))).rules;

/** Returns what a text says in words that the project doesn't use, one message for each. */
export function findBannedNames(text: string): { line: number; message: string }[] {
  return text.split('\n').flatMap((line, index) =>
    rules.flatMap(({ pattern, use, allow }) => {
      const checked = allow.reduce((rest, allowed) => rest.replaceAll(allowed, ''), line);
      return [...checked.matchAll(pattern)].map(([found]) => ({
        line: index + 1,
        message: `"${found}" is banned; use ${use}`,
      }));
    }),
  );
}

function listFiles(): string[] {
  const listed = execFileSync('git', [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    ...FOLDERS,
    '*.md',
    '*.ts',
  ]);
  return [...new Set(String(listed).split('\n'))].filter(
    (path) => TEXT.test(path) && !SKIPPED.test(path) && existsSync(path),
  );
}

function main(): void {
  const found = listFiles().flatMap((path) => [
    ...findBannedNames(path).map(({ message }) => `${path}: the file name: ${message}`),
    ...findBannedNames(readFileSync(path, 'utf8')).map(({ line, message }) => `${path}:${line}: ${message}`),
  ]);
  for (const message of found) console.error(message);
  if (found.length > 0) {
    console.error(`${found.length} banned names. ${LIST} lists the terms to use.`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
