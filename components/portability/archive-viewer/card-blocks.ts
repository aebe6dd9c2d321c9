import { groupEntries, monthOf, type ViewerEntry } from './journal';

/** How many cards are rendered together. Full rows of one, two, and three columns. */
const BLOCK_SIZE = 30;

/** Cards of a month that are rendered together, when they're near the screen. */
export interface CardBlock {
  key: string;
  /** `YYYY-MM` above the month's first block; null above its others. */
  heading: string | null;
  entries: ViewerEntry[];
}

/** Splits entries into blocks, by month and in order. */
export function toBlocks(entries: readonly ViewerEntry[]): CardBlock[] {
  return [...groupEntries(entries, monthOf)].flatMap(([month, ofMonth]) =>
    Array.from({ length: Math.ceil(ofMonth.length / BLOCK_SIZE) }, (_, index) => ({
      key: `${month}/${index}`,
      heading: index === 0 ? month : null,
      entries: ofMonth.slice(index * BLOCK_SIZE, (index + 1) * BLOCK_SIZE),
    })),
  );
}

/** The same as in `ENTRY_GRID`: where the columns change, and the gaps between cards, in pixels. */
const COLUMNS = [
  [1024, 3],
  [640, 2],
  [0, 1],
] as const;
const COLUMN_GAP = 24;
const ROW_GAP = 32;
/** The usual height of what's below a card's picture, in pixels. */
const CAPTION_HEIGHT = 64;

/** Estimates the height of `count` cards before they're rendered. All in pixels. @param width of the grid */
export function estimateHeight(count: number, width: number, windowWidth: number): number {
  const columns = COLUMNS.find(([from]) => windowWidth >= from)?.[1] ?? 1;
  const picture = (((width - (columns - 1) * COLUMN_GAP) / columns) * 9) / 16;
  const rows = Math.ceil(count / columns);
  return Math.round(rows * (picture + CAPTION_HEIGHT) + (rows - 1) * ROW_GAP);
}
