import { cpus } from 'node:os';
import { db } from '@/db/client';
import { installPrograms, missingNotice, PROGRAMS } from '@/local/up/system-packages';
import { createBenchContext } from '../bench/bench';
import { canReadProcesses } from '../bench/processes';
import type { Figures } from './figures';
import { measureLog, measureMinutes, measureTables } from './growth';
import { measureJobs } from './jobs';
import { measureRequests } from './requests';
import { readFigures, scaleTables, writeFigures, writePage } from './tables';

const HELP = `npm run lab -- scale            measures what requests, jobs, and entries cost, and what many people need
npm run lab -- scale --tables   only the tables, from what was measured last

Writes lab/reports/scale.json and the tables of lab/reports/scale.md. Linux only. Takes a few minutes with nothing else running.`;

async function describeMachine(): Promise<string> {
  const [row] = await db().$client`show server_version`;
  const postgres = String(row?.['server_version']).split(' ')[0];
  return `${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, Node ${process.versions.node}, and PostgreSQL ${postgres}`;
}

async function measure(): Promise<Figures> {
  const bench = createBenchContext();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => bench.close().finally(() => process.exit(1)));
  try {
    const app = await bench.app();
    const { userId, tables } = await measureTables();
    return {
      date: new Date().toISOString().slice(0, 10),
      machine: await describeMachine(),
      requests: await measureRequests(app, userId),
      jobs: await measureJobs(bench.folder),
      minutes: await measureMinutes(bench),
      tables,
      logBytesPerEntry: await measureLog(),
    };
  } finally {
    await bench.close();
  }
}

async function main(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(HELP);
    return 0;
  }
  if (!args.includes('--tables')) {
    if (!canReadProcesses) throw new Error('This reads CPU time from Linux’s /proc.');
    const missing = await installPrograms({
      programs: PROGRAMS.test,
      log: (line) => console.log(`  ${line}`),
    });
    if (missing.length > 0) console.log(missingNotice(missing));
    writeFigures(await measure());
  }
  const figures = readFigures();
  writePage(figures);
  console.log(Object.values(scaleTables(figures)).join('\n\n'));
  return 0;
}

process.exit(
  await main(process.argv.slice(2)).catch((error: Error) => {
    console.error(error.message);
    return 1;
  }),
);
