import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The code that decides what's allowed, stored, deleted, sent, and returned. */
const INCLUDED = [
  /^lib\/(account|api|billing|clients|foundation|journal|limits|operations|portability|reminders)\//,
  /^lib\/messaging\/outbox\//,
  /^lib\/video\/(downloads|previews|processing|uploads)\//,
  /^db\/[^/]+$/,
  /^(inngest|app\/api)\//,
];

/** What's written about it, and what measures it. */
const EXCLUDED = [/\.test\.ts$/, /\/fixtures\//, /^lib\/foundation\/telemetry\//, /^lib\/api\/openapi/];

/**
 * The areas of a report, by the start of a path; the first that matches counts. `guarded` ones decide about access, money,
 * deletion, and uploads.
 */
const AREAS: readonly { name: string; paths: RegExp; guarded?: true }[] = [
  { name: 'deletion', paths: /^lib\/(account\/deletion|journal\/entries\/(purge|trash))/, guarded: true },
  { name: 'account', paths: /^lib\/account\//, guarded: true },
  { name: 'billing', paths: /^lib\/billing\//, guarded: true },
  { name: 'limits', paths: /^lib\/limits\//, guarded: true },
  { name: 'uploads', paths: /^lib\/video\/uploads\//, guarded: true },
  { name: 'API', paths: /^(lib\/api|app\/api)\//, guarded: true },
  { name: 'video', paths: /^lib\/video\// },
  { name: 'db', paths: /^db\// },
  { name: 'inngest', paths: /^inngest\// },
  { name: 'journal', paths: /^lib\/journal\// },
  { name: 'portability', paths: /^lib\/portability\// },
  { name: 'operations', paths: /^lib\/operations\// },
  { name: 'reminders', paths: /^lib\/reminders\// },
  { name: 'messaging', paths: /^lib\/messaging\// },
  { name: 'clients', paths: /^lib\/clients\// },
  { name: 'foundation', paths: /^lib\/foundation\// },
];

export const AREA_NAMES = AREAS.map(({ name }) => name);

/** Returns the area of a file in the scope. */
export function areaOf(file: string): { name: string; guarded: boolean } {
  const area = AREAS.find(({ paths }) => paths.test(file));
  if (!area) throw new Error(`${file} is in no area.`);
  return { name: area.name, guarded: area.guarded ?? false };
}

export interface SourceFile {
  /** Relative to the project's root. */
  path: string;
  text: string;
}

/** Reads the files whose faults tests should notice, in the order of their paths. */
export function readScope(root: string): SourceFile[] {
  const tracked = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' }).split('\n');
  const matches = (path: string, patterns: readonly RegExp[]) =>
    patterns.some((pattern) => pattern.test(path));
  return tracked
    .filter((path) => matches(path, INCLUDED) && !matches(path, EXCLUDED))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
