import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@/local/up/ports';
import { installPrograms, PROGRAMS } from '@/local/up/system-packages';
import { shareClips } from '@/test/media/encode';
import { duration, e2e, unit } from '@/test/runners';
import { listTestFiles } from '@/test/selection';
import { type Plan, planRun, SERVERS } from './plan';
import { findProgram } from './process';
import { formatTable, hasFailed, type ServerResult, separateDifferences } from './table';

/** The origin that the protocol tests of storage use. */
const PROTOCOL_TEST_ORIGIN = 'http://localhost:3000';

/** Starts one server, runs its tests, and stops it. A server that doesn't start counts as a failure. */
async function runServer({ server, programs, files }: Plan): Promise<ServerResult> {
  const root = mkdtempSync(join(tmpdir(), `daylight-${server.name}-`));
  const dir = join(root, 'server');
  mkdirSync(dir);
  const suites: ServerResult['suites'] = [];
  try {
    const port = await freePort();
    const origins = [PROTOCOL_TEST_ORIGIN, `http://localhost:${port}`];
    const running = await server.start({ programs, dir, origins });
    const env = {
      ...running.env,
      E2E_PORT: String(port),
      TEST_REAL_SERVER: server.name,
      ...(server.service ? { TEST_SERVICES: server.service } : {}),
    };
    try {
      for (const [name, runSuite] of [['unit', unit] as const, ['e2e', e2e] as const]) {
        // An interrupted run doesn't go on.
        if (files[name].length === 0 || process.exitCode) continue;
        console.log(`\n${server.name}: ${name}`);
        const began = Date.now();
        const outcome = separateDifferences(await runSuite(root, files[name], env), server.differences);
        suites.push({ name, ...outcome, duration: duration(began) });
      }
    } finally {
      await running.stop();
    }
  } catch (error) {
    const failures = [`${server.name}: ${error instanceof Error ? error.message : String(error)}`];
    const counts = { passed: 0, failed: 1, skipped: 0, failures, flaky: [] };
    suites.push({ name: 'start', counts, differences: [], duration: '' });
  }
  rmSync(root, { recursive: true, force: true });
  return { name: server.name, skipped: null, suites };
}

/** Runs `npm run lab -- real`. Exits with 1 if a test failed; a server that isn't there is only named. */
async function main(args: string[]): Promise<void> {
  let plans: Plan[];
  try {
    plans = planRun(args, listTestFiles(), findProgram);
  } catch (error) {
    console.error(
      `${(error as Error).message} The servers are ${SERVERS.map(({ name }) => name).join(', ')}.`,
    );
    process.exitCode = 1;
    return;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      process.exitCode = 1;
    });
  }
  await installPrograms({ programs: PROGRAMS.test, log: (line) => console.log(`  ${line}`) });
  shareClips();
  const results: ServerResult[] = [];
  for (const plan of plans) {
    if (process.exitCode) break;
    const { name } = plan.server;
    const { unit: units, e2e: specs } = plan.files;
    const skipped = plan.skipped ?? (units.length + specs.length === 0 ? 'no test was chosen' : null);
    results.push(skipped ? { name, skipped, suites: [] } : await runServer(plan));
  }
  for (const { name, suites } of results) {
    for (const { counts, differences } of suites) {
      for (const line of differences) console.log(`\n${name} differs: ${line}`);
      for (const line of counts.flaky) console.log(`\n${name} flaky: ${line}`);
      for (const line of counts.failures) console.log(`\n${name} ✗ ${line}`);
    }
  }
  console.log(`\n${formatTable(results)}`);
  if (hasFailed(results)) process.exitCode = 1;
}

await main(process.argv.slice(2));
