import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import { installPrograms, missingNotice, PROGRAMS } from '@/local/up/system-packages';
import { formatSummary, readPlaywright, readVitest, sumCounts, type TestCounts } from './results';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const bin = (packageName: string, path: string): string =>
  join(projectRoot, 'node_modules', packageName, path);

type Outcome = { code: number; output: string };

/** Runs a Node program of the project; its output is shown at once, or with `quiet` only given back. */
function run(script: string, args: string[], { env = {}, quiet = false } = {}): Promise<Outcome> {
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

/** The checks of `npm run lint`, each counted as one test; a failing one does not stop the next. */
async function lint(): Promise<TestCounts> {
  const folders = [
    'app',
    'components',
    'lib',
    'db',
    'inngest',
    'local',
    'test',
    'e2e',
    'bench',
    'scripts',
    'middleware.ts',
  ];
  const present = folders.filter((name) => existsSync(join(projectRoot, name)));
  const checks: [name: string, script: string, args: string[]][] = [
    ['format and lint', bin('@biomejs/biome', 'bin/biome'), ['check', '.']],
    [
      'imports',
      bin('dependency-cruiser', 'bin/dependency-cruise.mjs'),
      ['--config', '.dependency-cruiser.cjs', ...present],
    ],
    ['unused exports', bin('knip', 'bin/knip.js'), ['--no-progress']],
    ['names', bin('tsx', 'dist/cli.mjs'), ['scripts/check-names.ts']],
    ['route types', bin('next', 'dist/bin/next'), ['typegen']],
    ['types', bin('typescript', 'bin/tsc'), ['--noEmit']],
  ];
  const tally: TestCounts = { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] };
  for (const [name, script, args] of checks) {
    const { code, output } = await run(script, args, { quiet: true });
    console.log(` ${code === 0 ? '✓' : '✗'} ${name}`);
    if (code === 0) tally.passed += 1;
    else {
      tally.failed += 1;
      tally.failures.push(name);
      console.log(output);
    }
  }
  return tally;
}

async function unit(reports: string): Promise<TestCounts> {
  const report = join(reports, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await run(bin('vitest', 'vitest.mjs'), ['run', ...reporters]);
  return readVitest(report, code);
}

async function e2e(reports: string): Promise<TestCounts> {
  const report = join(reports, 'playwright.json');
  const { code } = await run(bin('@playwright/test', 'cli.js'), ['test', '--reporter=list,json'], {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  return readPlaywright(report, code);
}

const SUITES = { lint, unit, e2e };
type Suite = keyof typeof SUITES;
const isSuite = (name: string): name is Suite => name in SUITES;

/** `npm test`, or a part of it: `npm test -- lint`. The last line is the sum of everything. */
async function main(names: string[]): Promise<void> {
  const unknown = names.find((name) => !isSuite(name));
  if (unknown) {
    console.error(`"${unknown}" is no part of the tests. There are: ${Object.keys(SUITES).join(', ')}.`);
    process.exitCode = 1;
    return;
  }
  const parts = names.length > 0 ? names.filter(isSuite) : (Object.keys(SUITES) as Suite[]);
  const missing = await installPrograms({ programs: PROGRAMS.test, log: (line) => console.log(`  ${line}`) });
  if (missing.length > 0) console.log(missingNotice(missing));
  const reports = mkdtempSync(join(tmpdir(), 'daylight-reports-'));
  const tallies: TestCounts[] = [];
  for (const part of parts) {
    console.log(`\n${part}`);
    // An interrupted run does not go on with the next part.
    if (process.exitCode) break;
    tallies.push(await SUITES[part](reports));
  }
  rmSync(reports, { recursive: true, force: true });
  const sum = sumCounts(tallies);
  if (sum.failed > 0) process.exitCode = 1;
  console.log(`\n${formatSummary(sum)}`);
}

await main(process.argv.slice(2));
