import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import { findMutants, isRunnable } from './catalog';
import { measureCoverage, testsFor } from './coverage';
import { whyEquivalent } from './equivalents';
import { type Mutant, mutantName } from './mutant';
import { runTasks } from './mutant-pool';
import { HELP, type MutationOptions, readOptions } from './options';
import { describeMutant, formatReport, type Verdict } from './report';
import { sampleMutants } from './sample';
import { areaOf, readScope } from './scope';

// `npm run lab -- mutation`: puts faults into the code that decides, and shows whether tests notice.

const REPORTS = join(projectRoot, 'test-results/mutation');

/** Chooses the mutants that the options ask for. */
function chooseMutants({ mutants: count, seed, areas, kinds, places }: MutationOptions) {
  const texts = new Map(readScope(projectRoot).map(({ path, text }) => [path, text]));
  const mutants = [...texts]
    .flatMap(([path, text]) => findMutants({ path, text }))
    .filter((mutant) => {
      const isAt = (place: string) => mutant.file.startsWith(place) || mutantName(mutant) === place;
      return (
        (areas.length === 0 || areas.includes(areaOf(mutant.file).name)) &&
        (kinds.length === 0 || kinds.includes(mutant.kind)) &&
        (places.length === 0 || places.some(isAt))
      );
    });
  const isWanted = (mutant: Mutant) => isRunnable(mutant, texts.get(mutant.file) ?? '');
  const sampled = Number.isFinite(count)
    ? sampleMutants(mutants, { count, seed, isWanted })
    : mutants.filter(isWanted);
  const equivalent = sampled.flatMap((mutant) => {
    const reason = whyEquivalent(mutant);
    return reason ? [{ mutant, reason }] : [];
  });
  return {
    scope: new Set(texts.keys()),
    found: mutants.length,
    equivalent,
    chosen: sampled.filter((mutant) => !whyEquivalent(mutant)),
  };
}

async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    console.log(HELP);
    return 0;
  }
  const { scope, found, chosen, equivalent } = chooseMutants(options);
  console.log(`${chosen.length} of ${found} mutants, seed ${options.seed}.`);
  if (options.list) {
    for (const mutant of chosen) console.log(describeMutant(mutant));
    return 0;
  }
  const started = performance.now();
  const coverage = await measureCoverage(scope, options.fresh);
  const counts = new Map<string, number>();
  const tasks = chosen.map((mutant) => {
    const { chosen: tests, all } = testsFor(mutant, coverage);
    counts.set(mutantName(mutant), all);
    return { mutant, tests };
  });
  const verdicts: Verdict[] = [];
  await runTasks(tasks, options.processes, ({ mutant, tests }, noticedBy) => {
    const covering = counts.get(mutantName(mutant)) ?? 0;
    verdicts.push({ mutant, noticedBy, tests: tests.length, covering });
    console.log(
      `${verdicts.length}/${tasks.length} ${noticedBy ? 'noticed' : 'NOT noticed'} ${describeMutant(mutant)}`,
    );
  });
  mkdirSync(REPORTS, { recursive: true });
  const report = join(REPORTS, `report-${options.seed}.md`);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: projectRoot,
    encoding: 'utf8',
  }).trim();
  const minutes = (performance.now() - started) / 60_000;
  writeFileSync(report, formatReport({ seed: options.seed, commit, minutes, verdicts, equivalent }));
  console.log(
    `\n${verdicts.filter(({ noticedBy }) => noticedBy).length} of ${verdicts.length} noticed. ${report}`,
  );
  return 0;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  return 2;
});
