import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import { installPrograms, missingNotice, PROGRAMS } from '@/local/up/system-packages';
import { attackBenchmark } from './attack';
import { type Benchmark, createBenchContext } from './bench';
import { javascript } from './bundle-size';
import { cost } from './cost';
import { exportBenchmark } from './export';
import { jsonBenchmark, pageBenchmark } from './http-overhead';
import { importBenchmark } from './import';
import { exceedsThreshold, formatTable, type Measurement } from './measurements';
import { memory } from './memory';
import { pageLoadBenchmark } from './page-load';
import { canReadProcesses } from './processes';
import { searchBenchmark } from './search';
import { speechBenchmark } from './speech';
import { startupBenchmark } from './startup';
import { timelineBenchmark } from './timeline';
import { upload } from './upload';

const BENCHMARKS: Record<string, Benchmark> = {
  cost,
  memory,
  json: jsonBenchmark,
  page: pageBenchmark,
  attack: attackBenchmark,
  upload,
  import: importBenchmark,
  javascript,
  'page-load': pageLoadBenchmark,
  finding: searchBenchmark,
  timeline: timelineBenchmark,
  speech: speechBenchmark,
  export: exportBenchmark,
  start: startupBenchmark,
};

/** `npm run lab -- bench`, or parts of it: `npm run lab -- bench json page`. Exit code 1 where a ratio is above its bar. */
async function main(names: string[]): Promise<number> {
  const unknown = names.find((name) => !(name in BENCHMARKS));
  if (unknown) {
    console.error(`"${unknown}" is no part of the bench. There are: ${Object.keys(BENCHMARKS).join(', ')}.`);
    return 1;
  }
  const missing = await installPrograms({ programs: PROGRAMS.test, log: (line) => console.log(`  ${line}`) });
  if (missing.length > 0) console.log(missingNotice(missing));
  const figures: Measurement[] = [];
  const bench = createBenchContext();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => bench.close().finally(() => process.exit(1)));
  }
  try {
    for (const [name, part] of Object.entries(BENCHMARKS)) {
      if (names.length > 0 && !names.includes(name)) continue;
      if (part.linuxOnly && !canReadProcesses) {
        console.log(`${name}: left out, as it reads CPU time from Linux's /proc`);
        continue;
      }
      const began = performance.now();
      const measured = await part.measure(bench);
      figures.push(...measured);
      console.log(
        `${name} (${Math.round((performance.now() - began) / 1000)} s)\n${formatTable(measured)}\n`,
      );
    }
  } finally {
    await bench.close();
  }
  writeFileSync(join(projectRoot, 'lab', 'bench', 'results.json'), `${JSON.stringify(figures, null, 2)}\n`);
  const above = figures.filter(exceedsThreshold);
  console.log(`${figures.length} figures, ${above.length} above their bar`);
  return above.length > 0 ? 1 : 0;
}

process.exit(await main(process.argv.slice(2)));
