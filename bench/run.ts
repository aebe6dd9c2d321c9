import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrograms, missingNotice, PROGRAMS } from '@/local/up/packages';
import { projectRoot } from '@/local/up/state';
import { json, page } from './answers';
import { openBench, type Part } from './bench';
import { type Figure, isAboveBar, table } from './figures';
import { finding } from './finding';
import { javascript } from './javascript';
import { journey } from './journey';
import { live } from './live';
import { media } from './media';
import { canReadProcesses } from './processes';
import { recording } from './recording';
import { saving } from './saving';
import { signingIn } from './signing-in';
import { start } from './start';
import { transcript } from './transcript';
import { upload } from './upload';

const PARTS: Record<string, Part> = {
  media,
  json,
  page,
  upload,
  live,
  journey,
  javascript,
  transcript,
  recording,
  finding,
  saving,
  'sign-in': signingIn,
  start,
};

/** `npm run bench`, or parts of it: `npm run bench -- json page`. Exit code 1 where a ratio is above its bar. */
async function main(names: string[]): Promise<number> {
  const unknown = names.find((name) => !(name in PARTS));
  if (unknown) {
    console.error(`"${unknown}" is no part of the bench. There are: ${Object.keys(PARTS).join(', ')}.`);
    return 1;
  }
  const missing = await ensurePrograms({ programs: PROGRAMS.test, log: (line) => console.log(`  ${line}`) });
  if (missing.length > 0) console.log(missingNotice(missing));
  const figures: Figure[] = [];
  const bench = openBench();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => bench.close().finally(() => process.exit(1)));
  }
  try {
    for (const [name, part] of Object.entries(PARTS)) {
      if (names.length > 0 && !names.includes(name)) continue;
      if (part.linuxOnly && !canReadProcesses) {
        console.log(`${name}: left out, as it reads CPU time from Linux's /proc`);
        continue;
      }
      const began = performance.now();
      const measured = await part.measure(bench);
      figures.push(...measured);
      console.log(`${name} (${Math.round((performance.now() - began) / 1000)} s)\n${table(measured)}\n`);
    }
  } finally {
    await bench.close();
  }
  writeFileSync(join(projectRoot, 'bench', 'results.json'), `${JSON.stringify(figures, null, 2)}\n`);
  const above = figures.filter(isAboveBar);
  console.log(`${figures.length} figures, ${above.length} above their bar`);
  return above.length > 0 ? 1 : 0;
}

process.exit(await main(process.argv.slice(2)));
