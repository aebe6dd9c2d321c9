import type { z } from 'zod';

/** Sizes or numbers around a limit, all of which a schema takes, and none. */
interface Bound {
  taken: number[];
  refused: number[];
}

/** At a limit and just below it, but not just above it. */
export const atMost = (max: number): Bound => ({ taken: [max - 1, max], refused: [max + 1] });

/** At both limits and next to them, but not beyond. */
export const between = (min: number, max: number): Bound => ({
  taken: [...new Set([min, min + 1, max - 1, max])],
  refused: [min - 1, max + 1],
});

/** As {@link between}, for what can't be fewer than nothing. */
export const upTo = (max: number): Bound => ({ ...atMost(max), taken: [0, 1, max - 1, max] });

/** What's tested, its schema, what a client sends for a number or a size, and which of them the schema takes. */
export type BoundCase = [name: string, schema: z.ZodType, send: (size: number) => unknown, bound: Bound];

/** Returns a bound as a schema has it, to compare with the bound that it should have. */
export function tryBound(
  schema: z.ZodType,
  send: (size: number) => unknown,
  { taken, refused }: Bound,
): Bound {
  const isTaken = (size: number) => schema.safeParse(send(size)).success;
  const tried = [...taken, ...refused];
  return { taken: tried.filter(isTaken), refused: tried.filter((size) => !isTaken(size)) };
}

/** A text of so many characters. */
export const letters = (size: number): string => 'a'.repeat(size);

/** So many items, made from their numbers. */
export const many = <Item>(size: number, make: (n: number) => Item): Item[] =>
  Array.from({ length: size }, (_, n) => make(n));

/** An id for a number, another one for each. */
export const idFor = (n: number): string => `0195f2a0-7c1e-7d3b-9a51-${n.toString(16).padStart(12, '0')}`;
