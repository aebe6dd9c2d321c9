/** Lists with up to this many pages show every number. */
const MAX_UNABRIDGED = 15;

/**
 * Returns the page numbers to link to: all of them, or in a long list the ends, the current page's neighbors and a
 * few in between. A gap replaces two or more skipped numbers.
 */
export function pageNumbers(page: number, pages: number): (number | 'gap')[] {
  if (pages <= MAX_UNABRIDGED) return Array.from({ length: pages }, (_, index) => index + 1);
  const far = [0.25, 0.5, 0.75].map((share) => Math.round(1 + share * (pages - 1)));
  const near = [-2, -1, 0, 1, 2].map((step) => page + step);
  const shown = [...new Set([1, 2, ...far, ...near, pages - 1, pages])]
    .filter((number) => number >= 1 && number <= pages)
    .sort((a, b) => a - b);
  return shown.flatMap((number, index) => {
    const left = index > 0 ? number - (shown[index - 1] ?? 0) - 1 : 0;
    if (left === 0) return [number];
    return [left === 1 ? number - 1 : ('gap' as const), number];
  });
}
