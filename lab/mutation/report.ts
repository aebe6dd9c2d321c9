import { table } from '../load/markdown';
import { KINDS, type Mutant, mutantName } from './mutant';
import { areaOf } from './scope';

/** A mutant, and what came of it. */
export interface Verdict {
  mutant: Mutant;
  /** The test that failed; null if none did. */
  noticedBy: string | null;
  /** How many test files were run at most, and how many call the function. */
  tests: number;
  covering: number;
}

export interface MutationRun {
  seed: number;
  commit: string;
  minutes: number;
  verdicts: Verdict[];
  equivalent: { mutant: Mutant; reason: string }[];
}

const isNoticed = ({ noticedBy }: Verdict): boolean => noticedBy !== null;

/** Says how many of these were noticed. */
function share(verdicts: readonly Verdict[]): string {
  const noticed = verdicts.filter(isNoticed).length;
  return verdicts.length === 0
    ? '–'
    : `${noticed} of ${verdicts.length} (${Math.round((100 * noticed) / verdicts.length)} %)`;
}

/** Groups verdicts. Node 20 has no `Map.groupBy`. */
function groupBy<Key>(verdicts: readonly Verdict[], keyOf: (verdict: Verdict) => Key): Map<Key, Verdict[]> {
  const groups = new Map<Key, Verdict[]>();
  for (const verdict of verdicts)
    groups.set(keyOf(verdict), [...(groups.get(keyOf(verdict)) ?? []), verdict]);
  return groups;
}

/** Shows a mutant on one line: what was there, and what's there now. */
export function describeMutant(mutant: Mutant): string {
  const shorten = (text: string) => {
    const line = text.replace(/\s+/g, ' ').trim();
    return line.length > 120 ? `${line.slice(0, 117)}…` : line;
  };
  const replacement = shorten(mutant.replacement);
  return `\`${mutantName(mutant)}\` ${mutant.kind}: \`${shorten(mutant.original)}\` → ${replacement ? `\`${replacement}\`` : 'nothing'}`;
}

/** Returns the report of a run as Markdown. */
export function formatReport({ seed, commit, minutes, verdicts, equivalent }: MutationRun): string {
  const areas = groupBy(verdicts, ({ mutant }) => areaOf(mutant.file).name);
  const kinds = groupBy<string>(verdicts, ({ mutant }) => mutant.kind);
  const guarded = verdicts.filter(({ mutant }) => areaOf(mutant.file).guarded);
  const rows = (groups: ReadonlyMap<string, Verdict[]>) =>
    [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([name, own]) => [name, share(own)]);
  const unnoticed = verdicts.filter((verdict) => !isNoticed(verdict));
  const listed = unnoticed.map(
    ({ mutant, tests, covering }) =>
      `- ${describeMutant(mutant)} (${covering === 0 ? 'no test calls it' : `${tests} of ${covering} test files`})`,
  );
  return `# Mutation run

Seed ${seed}, commit ${commit}, ${verdicts.length} mutants in ${Math.round(minutes)} minutes: ${share(verdicts)} noticed.
Of access, money, deletion, and uploads: ${share(guarded)}.

${table(['area', 'noticed'], rows(areas))}

${table(
  ['kind', 'noticed'],
  Object.keys(KINDS).map((kind) => [kind, share(kinds.get(kind) ?? [])]),
)}

## Not noticed

${listed.join('\n') || 'None.'}

## Equivalent

${equivalent.map(({ mutant, reason }) => `- ${describeMutant(mutant)}: ${reason}`).join('\n') || 'None.'}

## Noticed

${
  verdicts
    .filter(isNoticed)
    .map(({ mutant, noticedBy }) => `- ${describeMutant(mutant)}, by ${noticedBy}`)
    .join('\n') || 'None.'
}
`;
}
