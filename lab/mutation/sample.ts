import { KINDS, type Kind, type Mutant } from './mutant';

/** Returns numbers from 0 to below 1 that the seed decides (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a copy in an order that the seed decides. */
function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const [one, two] = [shuffled[last] as Item, shuffled[other] as Item];
    shuffled[last] = two;
    shuffled[other] = one;
  }
  return shuffled;
}

/**
 * Chooses mutants by the shares of their kinds, at most one of a line. If a kind has too few, others take their places.
 * @param isWanted what else a mutant has to be; asked only of those that are about to be chosen
 */
export function sampleMutants(
  mutants: readonly Mutant[],
  { count, seed, isWanted = () => true }: { count: number; seed: number; isWanted?(mutant: Mutant): boolean },
): Mutant[] {
  const random = randomNumbers(seed);
  const byKind = new Map<Kind, Mutant[]>();
  for (const mutant of shuffle(mutants, random))
    byKind.set(mutant.kind, [...(byKind.get(mutant.kind) ?? []), mutant]);
  const lines = new Set<string>();
  const chosen: Mutant[] = [];
  const choose = (queue: Mutant[], most: number): void => {
    for (let taken = 0; taken < most && queue.length > 0; ) {
      const mutant = queue.shift() as Mutant;
      const line = `${mutant.file}:${mutant.line}`;
      if (lines.has(line) || !isWanted(mutant)) continue;
      lines.add(line);
      chosen.push(mutant);
      taken++;
    }
  };
  for (const [kind, share] of Object.entries(KINDS))
    choose(byKind.get(kind as Kind) ?? [], Math.round((count * share) / 100));
  choose(shuffle([...byKind.values()].flat(), random), count - chosen.length);
  return chosen.slice(0, count);
}
