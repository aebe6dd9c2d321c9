import { join } from 'node:path';

/** What tests start as a process of its own, to kill it, to measure it, or to read all that it prints. */
export const PROGRAMS = [
  'local/inngest/test-process.ts',
  'local/s3/server-process.ts',
  'local/up/fixtures/app-parent.ts',
  'local/up/fixtures/postgres-launcher.ts',
  'local/up/fixtures/up-app.ts',
  'test/function-process.ts',
  'test/leaks/app.ts',
  'test/lease-process.ts',
  'test/media/endless-process.ts',
  'test/media/sandbox-process.ts',
  'test/outbox-process.ts',
  'test/server-process.ts',
  'test/step-process.ts',
  'test/transcribe-process.ts',
] as const;

/** Where a run's bundles are asked for. Set by global-setup.ts. */
export const BUNDLES_URL = 'TEST_BUNDLES_URL';

let known: Promise<string> | undefined;

/** Returns the path of a program for Node to run, bundled by the first test of a run that asks for one. */
export async function childProgram(file: (typeof PROGRAMS)[number]): Promise<string> {
  const ask = async () => {
    const response = await fetch(process.env[BUNDLES_URL] ?? '');
    if (!response.ok) throw new Error(`The programs of tests can’t be bundled: ${await response.text()}`);
    return response.text();
  };
  known ??= ask();
  return join(await known, file.replace(/\.ts$/, '.mjs'));
}
