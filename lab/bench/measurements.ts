/** One measurement beside its limit. A ratio above its bar fails the run. */
export interface Measurement {
  name: string;
  unit: string;
  ours: number;
  limit: number;
  /** `ours / limit`. */
  ratio: number;
  bar: number;
}

const roundSignificant = (value: number): number => Number(value.toPrecision(4));

export function measurement(name: string, measured: Omit<Measurement, 'name' | 'ratio'>): Measurement {
  const { unit, ours, limit, bar } = measured;
  return {
    name,
    unit,
    ours: roundSignificant(ours),
    limit: roundSignificant(limit),
    ratio: roundSignificant(ours / limit),
    bar,
  };
}

export const exceedsThreshold = ({ ratio, bar }: Measurement): boolean => !(ratio <= bar);

/** The smallest value that at least the share `share` (0 to 1) of the values does not exceed: the nearest rank. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: number[]): number => quantile(values, 0.5);

/**
 * Runs several measurements in turn, so that whatever else the machine does meanwhile falls on all of them alike.
 * @returns the median of each
 */
export async function interleave<Name extends string>(
  rounds: number,
  measurements: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measurements) as Name[];
  const values = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) values.get(name)?.push(await measurements[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(values.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

const HEADINGS = ['', 'unit', 'ours', 'limit', 'ratio', 'bar'];

/** The figures as a table for the terminal; what is above its bar is marked. */
export function formatTable(figures: Measurement[]): string {
  const rows = figures.map((it) => [
    it.name,
    it.unit,
    ...[it.ours, it.limit, it.ratio, it.bar].map((value) => String(roundSignificant(value))),
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return [
    `  ${line(HEADINGS)}`,
    ...rows.map(
      (row, index) => `${figures[index] && exceedsThreshold(figures[index]) ? '✗' : '✓'} ${line(row)}`,
    ),
  ].join('\n');
}
