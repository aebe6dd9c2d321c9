import type { ViewerMonth } from '@/lib/portability/exports/format';

/** How many months stay in memory for going from one entry to the next. */
const KEPT_MONTHS = 3;

const received = new Map<string, ViewerMonth>();
const loading = new Map<string, Promise<ViewerMonth | null>>();

/** Takes a month's words from its file, `viewer/data/2026-11.js`. */
export function receiveMonth(month: string, words: ViewerMonth): void {
  received.set(month, words);
}

/** Adds a script to the page: what's read from a disk can't be fetched. */
const runScript = (src: string): Promise<void> =>
  new Promise((resolve) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = script.onerror = () => {
      script.remove();
      resolve();
    };
    document.head.append(script);
  });

async function load(month: string): Promise<ViewerMonth | null> {
  await runScript(`viewer/data/${month}.js`);
  const words = received.get(month) ?? null;
  loading.delete(month);
  for (const oldest of [...received.keys()].slice(0, -KEPT_MONTHS)) received.delete(oldest);
  return words;
}

/** Returns a month's words by entry, or null if the file is missing or damaged. @param month `YYYY-MM` */
export function loadMonth(month: string): Promise<ViewerMonth | null> {
  const words = received.get(month);
  if (words) return Promise.resolve(words);
  const file = loading.get(month) ?? load(month);
  loading.set(month, file);
  return file;
}
