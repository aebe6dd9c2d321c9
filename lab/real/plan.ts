import { isSuite, selectTests, type TestFiles } from '@/test/selection';
import { apiTools } from './servers/api-tools';
import { cleanServer } from './servers/clean-server';
import { image } from './servers/image';
import {
  inngestDev,
  inngestDevWorkers,
  inngestSelfHosted,
  inngestSelfHostedWorkers,
} from './servers/inngest';
import { minio, minioKms } from './servers/minio';
import { nginx, nginxStorage } from './servers/nginx';
import { offline } from './servers/offline';
import { pgbouncer, pgbouncerUnprepared } from './servers/pgbouncer';
import { seaweedfs } from './servers/seaweedfs';
import type { RealServer } from './servers/server';
import { stripeMock } from './servers/stripe-mock';
import { traced } from './servers/traced';
import { vercel } from './servers/vercel';
import { versitygw } from './servers/versitygw';

export const SERVERS: RealServer[] = [
  versitygw,
  seaweedfs,
  minio,
  minioKms,
  inngestDev,
  inngestSelfHosted,
  inngestDevWorkers,
  inngestSelfHostedWorkers,
  stripeMock,
  apiTools,
  traced,
  vercel,
  offline,
  pgbouncer,
  pgbouncerUnprepared,
  nginx,
  cleanServer,
  nginxStorage,
  image,
];

/** What to do with one server. */
export interface Plan {
  server: RealServer;
  /** The path of each of its programs. */
  programs: Record<string, string>;
  /** Why it's left out, or null. */
  skipped: string | null;
  /** The files to run, relative to the project. */
  files: TestFiles;
}

const matching = (all: string[], parts: string[]): string[] =>
  all.filter((file) => parts.some((part) => file.includes(part)));

/**
 * Plans a run of `npm run lab -- real`. The arguments choose servers by the start of their names (all of them by default)
 * and, as in `npm test`, suites and parts of paths among the tests of those servers.
 * @param findProgram returns a program's path, or null
 * @throws Error for an argument that matches nothing
 */
export function planRun(
  args: readonly string[],
  all: TestFiles,
  findProgram: (name: string) => string | null,
): Plan[] {
  const isName = (arg: string) => SERVERS.some(({ name }) => name.startsWith(arg));
  const names = args.filter(isName);
  const rest = args.filter((arg) => !isName(arg));
  const chosen = SERVERS.filter(
    ({ name }) => names.length === 0 || names.some((start) => name.startsWith(start)),
  );
  const plans = chosen.map((server) => {
    const found = server.programs.map((program) => [program, findProgram(program)] as const);
    const missing = found.flatMap(([program, path]) => (path ? [] : [program]));
    const files = {
      unit: matching(all.unit, server.tests.unit),
      e2e: matching(all.e2e, server.tests.e2e),
    };
    const programs = Object.fromEntries(found.map(([program, path]) => [program, path ?? '']));
    return {
      server,
      programs,
      skipped:
        missing.length > 0
          ? `${missing.join(' and ')} not found on PATH or in REAL_SERVERS`
          : (server.findObstacle?.(programs) ?? null),
      files: narrow(files, rest),
    };
  });
  if (plans.every(({ files }) => files.unit.length + files.e2e.length === 0)) {
    throw new Error(`No server and no test matches "${rest.join(' ')}".`);
  }
  return plans;
}

/** Returns those of a server's files that the arguments choose, which may be none. */
function narrow(files: TestFiles, args: string[]): TestFiles {
  const suites = args.filter((arg) => isSuite(arg));
  const paths = args.filter((arg) => !isSuite(arg));
  if (paths.length === 0) return choose(files, suites);
  // A path may be of another server's tests.
  const chosen = paths.map((path) => choose(files, [...suites, path]));
  const all = (kind: keyof TestFiles) => [...new Set(chosen.flatMap((part) => part[kind]))];
  return { unit: all('unit'), e2e: all('e2e') };
}

function choose(files: TestFiles, args: string[]): TestFiles {
  if (args.length === 0) return files;
  try {
    const { suites, files: selected } = selectTests(args, files);
    const of = (kind: keyof TestFiles) => (suites.includes(kind) ? (selected[kind] ?? files[kind]) : []);
    return { unit: of('unit'), e2e: of('e2e') };
  } catch {
    return { unit: [], e2e: [] };
  }
}
