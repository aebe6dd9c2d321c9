/** Returns `1 entry`, or `1,200 entries`. */
export const countEntries = (count: number): string =>
  count === 1 ? '1 entry' : `${count.toLocaleString('en-US')} entries`;
