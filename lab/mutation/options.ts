import { parseArgs } from 'node:util';
import { KINDS, type Kind } from './mutant';
import { AREA_NAMES } from './scope';

export interface MutationOptions {
  mutants: number;
  seed: number;
  /** Only these, or all. */
  areas: string[];
  kinds: Kind[];
  /** Only files whose path starts with one of these, and mutants whose name is one of these; all if there are none. */
  places: string[];
  /** Whether all test files are run again to see what they call. */
  fresh: boolean;
  /** Whether to list the mutants, and not to run any. */
  list: boolean;
  processes: number;
}

export const HELP = `Puts faults into the code that decides, one at a time, and runs the tests that call it, to see whether they notice.

  npm run lab -- mutation                                  150 mutants that a seed chooses
  npm run lab -- mutation --seed 7                         those of an earlier run
  npm run lab -- mutation --area billing --kind lock       only some
  npm run lab -- mutation lib/journal/tags                 all mutants of a folder or a file, with --mutants 0
  npm run lab -- mutation lib/journal/tags/service.ts:143:0abc     one of a report

  --mutants N      how many; 150 by default, 0 for all
  --seed N         which; random by default
  --area LIST      of ${AREA_NAMES.join(', ')}
  --kind LIST      of ${Object.keys(KINDS).join(', ')}
  --processes N    how many at once; 3 by default
  --fresh          runs all tests again to see what they call, and not only those that have changed
  --list           lists the mutants, and runs nothing

The report is test-results/mutation/report-SEED.md.`;

function readCount(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} takes a whole number.`);
  return value;
}

function readList(name: string, text: string, known: readonly string[]): string[] {
  const values = text.split(',').filter(Boolean);
  const unknown = values.find((value) => !known.includes(value));
  if (unknown) throw new Error(`--${name} doesn’t know “${unknown}”. It knows ${known.join(', ')}.`);
  return values;
}

/** Returns what the arguments ask for; null for help. @throws Error that says what's wrong with them */
export function readOptions(args: readonly string[]): MutationOptions | null {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      mutants: { type: 'string', default: '150' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
      area: { type: 'string', default: '' },
      kind: { type: 'string', default: '' },
      processes: { type: 'string', default: '3' },
      fresh: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  return {
    mutants: readCount('mutants', values.mutants) || Number.POSITIVE_INFINITY,
    seed: readCount('seed', values.seed),
    areas: readList('area', values.area, AREA_NAMES),
    kinds: readList('kind', values.kind, Object.keys(KINDS)) as Kind[],
    places: positionals,
    fresh: values.fresh,
    list: values.list,
    processes: Math.max(1, readCount('processes', values.processes)),
  };
}
