import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNodeNewEnough } from '@/local/up/bootstrap.mjs';
import { projectRoot } from '@/local/up/data-dir';
import { installPrograms, missingNotice, PROGRAMS } from '@/local/up/system-packages';
import { shareClips } from './media/encode';
import { formatSummary, sumCounts, type TestCounts } from './results';
import { bin, duration, e2e, run, unit } from './runners';
import { listTestFiles, type Selection, type Suite, selectTests } from './selection';

type Check = [name: string, script: string, args: string[]];

/** Checks whose programs need a newer Node than Daylight does, and the oldest that all of these run on. */
const NEWER = { checks: ['imports', 'unused exports'], node: [20, 19] as [number, number] };

/** Returns whether this Node is too old for a check. */
const needsNewerNode = (check: string): boolean =>
  NEWER.checks.includes(check) && !isNodeNewEnough(process.version, NEWER.node);

/**
 * Runs the checks of `npm run lint`, each counted as one test, two at a time. Each runs, whatever the others found, unless
 * this Node is too old for it.
 */
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
  const syntax: Check[] = [
    ['format and lint', bin('@biomejs/biome', 'bin/biome'), ['check', '.']],
    [
      'imports',
      bin('dependency-cruiser', 'bin/dependency-cruise.mjs'),
      ['--config', '.dependency-cruiser.cjs', ...present],
    ],
    ['unused exports', bin('knip', 'bin/knip.js'), ['--no-progress']],
    ['names', bin('tsx', 'dist/cli.mjs'), ['scripts/check-names.ts']],
    ['text', bin('tsx', 'dist/cli.mjs'), ['scripts/check-text.ts']],
  ];
  const types: Check[] = [
    ['route types', bin('next', 'dist/bin/next'), ['typegen']],
    ['types', bin('typescript', 'bin/tsc'), ['--noEmit']],
  ];
  const tally: TestCounts = { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] };
  const runInOrder = async (checks: Check[]) => {
    for (const [name, script, args] of checks) {
      if (needsNewerNode(name)) {
        console.log(` - ${name}: needs Node ${NEWER.node.join('.')} or newer`);
        tally.skipped += 1;
        continue;
      }
      const { code, output } = await run(script, args, { quiet: true });
      console.log(` ${code === 0 ? '✓' : '✗'} ${name}`);
      if (code === 0) tally.passed += 1;
      else {
        tally.failed += 1;
        tally.failures.push(name);
        console.log(output);
      }
    }
  };
  await Promise.all([runInOrder(syntax), runInOrder(types)]);
  return tally;
}

/** Reads the arguments, or returns null when they name no test. */
function readSelection(args: string[]): Selection | null {
  try {
    return selectTests(args, listTestFiles());
  } catch (error) {
    console.error((error as Error).message);
    return null;
  }
}

/** Runs `npm test`, or the part of it that the arguments name. The last line is the sum of everything. */
async function main(args: string[]): Promise<void> {
  const selection = readSelection(args);
  if (!selection) {
    process.exitCode = 1;
    return;
  }
  const missing = await installPrograms({ programs: PROGRAMS.test, log: (line) => console.log(`  ${line}`) });
  if (missing.length > 0) console.log(missingNotice(missing));
  shareClips();
  const reports = mkdtempSync(join(tmpdir(), 'daylight-reports-'));
  const tallies: TestCounts[] = [];
  const times: string[] = [];
  for (const suite of selection.suites) {
    // An interrupted run doesn't go on with the next suite.
    if (process.exitCode) break;
    console.log(`\n${suite}`);
    const began = Date.now();
    tallies.push(await runSuite(suite, reports, selection));
    times.push(`${suite} ${duration(began)}`);
  }
  rmSync(reports, { recursive: true, force: true });
  const sum = sumCounts(tallies);
  if (sum.failed > 0) process.exitCode = 1;
  console.log(`\n${times.join(', ')}\n${formatSummary(sum)}`);
}

const runSuite = (suite: Suite, reports: string, { files }: Selection): Promise<TestCounts> =>
  suite === 'lint' ? lint() : { unit, e2e }[suite](reports, files[suite]);

await main(process.argv.slice(2));
