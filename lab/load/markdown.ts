/** Returns a table as Markdown. */
export const table = (head: string[], rows: (string | number)[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Says how often each was counted, the most frequent first. */
export const counted = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([what, number]) => `${number} × ${what}`)
    .join(', ') || 'none';
