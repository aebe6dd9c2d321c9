import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isNodeNewEnough } from '@/local/up/bootstrap.mjs';
import { projectRoot } from '@/local/up/data-dir';
import { installPrograms, missingNotice, PROGRAMS } from '@/local/up/system-packages';
import { shareClips } from './media/encode';
import { selectRelated } from './related';
import { formatSummary, sumCounts, type TestCounts } from './results';
import { bin, duration, e2e, run, unit, VITEST_CONFIG } from './runners';
import { listTestFiles, type Selection, selectTests } from './selection';

type Check = [name: string, script: string, args: string[]];

/** Checks whose programs need a newer Node than Daylight does, and the oldest that all of these run on. */
const NEWER = { checks: ['imports', 'unused exports'], node: [20, 19] as [number, number] };

/** Returns whether this Node is too old for a check. */
const needsNewerNode = (check: string): boolean =>
  NEWER.checks.includes(check) && !isNodeNewEnough(process.version, NEWER.node);

/**
 * Runs the checks of `npm run lint`, each counted as one test, two at a time. Each runs, whatever the others found, unless
 * this Node is too old for it. With `fix`, files are formatted first, and what has a safe fix is fixed.
 */
async function lint(fix: boolean): Promise<TestCounts> {
  const folders = [
    'app',
    'components',
    'lib',
    'db',
    'inngest',
    'local',
    'test',
    'e2e',
    'lab',
    'scripts',
    'middleware.ts',
  ];
  const present = folders.filter((name) => existsSync(join(projectRoot, name)));
  const syntax: Check[] = [
    ['format and lint', bin('@biomejs/biome', 'bin/biome'), ['check', ...(fix ? ['--write'] : []), '.']],
    [
      'imports',
      bin('dependency-cruiser', 'bin/dependency-cruise.mjs'),
      ['--config', 'scripts/lint/dependency-cruiser.cjs', ...present],
    ],
    ['unused exports', bin('knip', 'bin/knip.js'), ['--no-progress', '--config', 'scripts/lint/knip.jsonc']],
    ['names', bin('tsx', 'dist/cli.mjs'), ['scripts/check-names.ts']],
    ['text', bin('tsx', 'dist/cli.mjs'), ['scripts/check-text.ts']],
    ['assertions', bin('tsx', 'dist/cli.mjs'), ['scripts/check-assertions.ts']],
    ['components', bin('tsx', 'dist/cli.mjs'), ['scripts/check-components.ts']],
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

const HELP = `npm test -- [quick|lint|unit|e2e] [parts of paths]

  quick     lint, and the unit tests next to what you changed

  --fix     lint also formats, and fixes what it can
  --watch   runs unit tests again as you edit`;

/** Reads the arguments, or returns null when they name no test. */
function readArguments(args: string[]): { selection: Selection; fix: boolean; watch: boolean } | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        fix: { type: 'boolean', default: false },
        watch: { type: 'boolean', default: false },
      },
    });
    const isQuick = positionals.length === 1 && positionals[0] === 'quick';
    const selection = isQuick ? selectRelated(projectRoot) : selectTests(positionals, listTestFiles());
    return { selection, ...values };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`);
    return null;
  }
}

/** Runs `npm test`, or the part of it that the arguments name. The last line is the sum of everything. */
async function main(args: string[]): Promise<void> {
  const chosen = readArguments(args);
  if (!chosen) {
    process.exitCode = 1;
    return;
  }
  const { selection, fix, watch } = chosen;
  const missing = await installPrograms({ programs: PROGRAMS.test, log: (line) => console.log(`  ${line}`) });
  if (missing.length > 0) console.log(missingNotice(missing));
  shareClips();
  if (watch) {
    const { code } = await run(bin('vitest', 'vitest.mjs'), [
      ...VITEST_CONFIG,
      ...(selection.files.unit ?? []),
    ]);
    process.exitCode = code;
    return;
  }
  const reports = mkdtempSync(join(tmpdir(), 'daylight-reports-'));
  const tallies: TestCounts[] = [];
  const times: string[] = [];
  for (const suite of selection.suites) {
    // An interrupted run doesn't go on with the next suite.
    if (process.exitCode) break;
    console.log(`\n${suite}`);
    const began = Date.now();
    tallies.push(
      await (suite === 'lint' ? lint(fix) : { unit, e2e }[suite](reports, selection.files[suite])),
    );
    times.push(`${suite} ${duration(began)}`);
  }
  rmSync(reports, { recursive: true, force: true });
  const sum = sumCounts(tallies);
  if (sum.failed > 0) process.exitCode = 1;
  console.log(`\n${times.join(', ')}\n${formatSummary(sum)}`);
}

await main(process.argv.slice(2));
