import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import { readPlaywright, readVitest, type TestCounts } from './results';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Returns the path of a program in a package. */
export const bin = (packageName: string, path: string): string =>
  join(projectRoot, 'node_modules', packageName, path);

export const VITEST_CONFIG = ['--config', 'test/vitest.config.ts'];

type Outcome = { code: number; output: string };

/** Runs a Node program of the project. Shows its output at once, or with `quiet` only returns it. */
export function run(script: string, args: string[], { env = {}, quiet = false } = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: ['inherit', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  });
  const passOn = SIGNALS.map((name) => [name, () => child.kill(name)] as const);
  for (const [name, handler] of passOn) process.on(name, handler);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const [name, handler] of passOn) process.off(name, handler);
      if (signal) process.exitCode = 1;
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Runs unit tests, all of them if none are named. `env` is set in addition. */
export async function unit(reports: string, files: string[] = [], env = {}): Promise<TestCounts> {
  const report = join(reports, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await run(bin('vitest', 'vitest.mjs'), ['run', ...VITEST_CONFIG, ...reporters, ...files], {
    env,
  });
  return readVitest(report, code);
}

/** Runs browser and API tests, all of them if none are named. `env` is set in addition. */
export async function e2e(reports: string, files: string[] = [], env = {}): Promise<TestCounts> {
  const report = join(reports, 'playwright.json');
  // Playwright reads them as regular expressions.
  const patterns = files.map((file) => `${file.replace(/[.[\]()]/g, '\\$&')}$`);
  const { code } = await run(
    bin('@playwright/test', 'cli.js'),
    ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', ...patterns],
    {
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    },
  );
  return readPlaywright(report, code);
}

/** Returns the time since a moment as people read it. */
export function duration(since: number): string {
  const seconds = Math.round((Date.now() - since) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
