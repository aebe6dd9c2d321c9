import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ENTRY_GRID, EntryCard } from '@/components/journal/entries/entry-card';
import { formatMonth } from '@/components/journal/entries/months';
import { groupEntries, monthOf, type ViewerEntry } from './journal';

/** How many cards are rendered together. Full rows of one, two, and three columns. */
const BLOCK_SIZE = 30;

/** Cards of a month that are rendered together, when they're near the screen. */
interface CardBlock {
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

/** How far from the screen cards are rendered, as a share of its height. */
const MARGIN = '150% 0%';

/** Heights of blocks that have been rendered, in pixels, by block and width. */
const measured = new Map<string, number>();

/** Returns whether an element is on the screen or close to it. */
function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const watcher = new IntersectionObserver((changes) => setNear(changes.at(-1)?.isIntersecting ?? false), {
      rootMargin: MARGIN,
    });
    watcher.observe(element.current);
    return () => watcher.disconnect();
  }, [element]);
  return near;
}

function Block({ block, width }: { block: CardBlock; width: number }) {
  const box = useRef<HTMLDivElement>(null);
  const near = useNear(box);
  const { entries, heading } = block;
  const size = `${block.key} ${entries.length} ${width}`;
  const height = measured.get(size) ?? estimateHeight(entries.length, width, window.innerWidth);
  useLayoutEffect(() => {
    if (near && box.current) measured.set(size, box.current.offsetHeight);
  });
  return (
    <section className={heading ? 'mt-10 first:mt-0' : 'mt-8'}>
      {heading && <h2 className="heading mb-5 text-[24px]">{formatMonth(heading)}</h2>}
      <div ref={box} className={near ? ENTRY_GRID : undefined} style={near ? undefined : { height }}>
        {near &&
          entries.map((entry) => <EntryCard key={entry.id} entry={entry} dateFormat="us" heading="h3" />)}
      </div>
    </section>
  );
}

/** Shows entries as cards under their months. Only those near the screen are rendered. */
export function CardList({ entries }: { entries: readonly ViewerEntry[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const blocks = useMemo(() => toBlocks(entries), [entries]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return (
    <div ref={box}>
      {width > 0 && blocks.map((block) => <Block key={block.key} block={block} width={width} />)}
    </div>
  );
}
