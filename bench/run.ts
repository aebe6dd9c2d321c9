import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import { installPrograms, missingNotice, PROGRAMS } from '@/local/up/system-packages';
import { attackBenchmark } from './attack';
import { type Benchmark, createBenchContext } from './bench';
import { bulkBenchmark } from './bulk';
import { javascript } from './bundle-size';
import { comparisonBenchmark } from './comparison';
import { cost } from './cost';
import { exportBenchmark } from './export';
import { hostileTextsBenchmark } from './hostile-texts';
import { jsonBenchmark, pageBenchmark } from './http-overhead';
import { importBenchmark } from './import';
import { importReviewBenchmark } from './import-review';
import { liveUploadBenchmark } from './live-upload';
import { liveWordsBenchmark } from './live-words';
import { loadBenchmark } from './load';
import { exceedsThreshold, formatTable, type Measurement } from './measurements';
import { media } from './media';
import { offlineBenchmark } from './offline';
import { pageLoadBenchmark } from './page-load';
import { canReadProcesses } from './processes';
import { processingBenchmark } from './processing';
import { recording } from './recording';
import { searchBenchmark } from './search';
import { signInBenchmark } from './sign-in';
import { speechBenchmark } from './speech';
import { speechVocabulary } from './speech-vocabulary';
import { startupBenchmark } from './startup';
import { timelineBenchmark } from './timeline';
import { transcript } from './transcript';
import { tryItBenchmark } from './try-it';
import { upload } from './upload';
import { writesBenchmark } from './writes';

const BENCHMARKS: Record<string, Benchmark> = {
  media,
  cost,
  json: jsonBenchmark,
  page: pageBenchmark,
  load: loadBenchmark,
  attack: attackBenchmark,
  upload,
  import: importBenchmark,
  'import-review': importReviewBenchmark,
  live: liveUploadBenchmark,
  words: liveWordsBenchmark,
  'try-it': tryItBenchmark,
  offline: offlineBenchmark,
  journey: processingBenchmark,
  javascript,
  'page-load': pageLoadBenchmark,
  transcript,
  'hostile-texts': hostileTextsBenchmark,
  vocabulary: speechVocabulary,
  recording,
  finding: searchBenchmark,
  timeline: timelineBenchmark,
  saving: writesBenchmark,
  bulk: bulkBenchmark,
  doctor: comparisonBenchmark,
  'sign-in': signInBenchmark,
  speech: speechBenchmark,
  export: exportBenchmark,
  start: startupBenchmark,
};

/** `npm run bench`, or parts of it: `npm run bench -- json page`. Exit code 1 where a ratio is above its bar. */
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
  writeFileSync(join(projectRoot, 'bench', 'results.json'), `${JSON.stringify(figures, null, 2)}\n`);
  const above = figures.filter(exceedsThreshold);
  console.log(`${figures.length} figures, ${above.length} above their bar`);
  return above.length > 0 ? 1 : 0;
}

process.exit(await main(process.argv.slice(2)));
