/**
 * Detects that the browser has evicted what this site stored, to free up space. Browsers leave cookies then, so a cookie has
 * how many items are stored, and how many were evicted that nobody has been told of. Only numbers, of all accounts together:
 * the cookie belongs to the browser, and names nobody.
 *
 * The cookie never says more than there is, even for a moment: increase it after storing, and decrease it before deleting.
 */

/** Recordings that aren't uploaded, uploads that aren't finished, and entries saved for offline viewing. */
const KINDS = ['recordings', 'uploads', 'entries'] as const;

export type Kind = (typeof KINDS)[number];
export type Counts = Readonly<Record<Kind, number>>;

const NONE: Counts = { recordings: 0, uploads: 0, entries: 0 };

export const COUNTS_COOKIE = 'daylight-kept';

/** `2.0.3-1.0.0`: how many of each kind are stored, and how many were evicted. */
const PATTERN = /(?:^|; )daylight-kept=(\d+)\.(\d+)\.(\d+)-(\d+)\.(\d+)\.(\d+)/;

/** In seconds: 400 days, the longest that browsers allow. */
export const COUNTS_MAX_AGE = 400 * 24 * 60 * 60;

interface StorageCounts {
  stored: Counts;
  evicted: Counts;
}

/** Returns the counts in cookies, by default the page's. */
export function readCounts(cookies = document.cookie): StorageCounts {
  const [, ...numbers] = (PATTERN.exec(cookies) ?? []).map(Number);
  const countsFrom = (index: number): Counts => {
    const [recordings = 0, uploads = 0, entries = 0] = numbers.slice(index);
    return { recordings, uploads, entries };
  };
  return { stored: countsFrom(0), evicted: countsFrom(KINDS.length) };
}

/** Returns the cookie's value. */
export const formatCounts = ({ stored, evicted }: StorageCounts): string =>
  [stored, evicted].map((counts) => KINDS.map((kind) => counts[kind]).join('.')).join('-');

function writeCounts(counts: StorageCounts): void {
  const value = formatCounts(counts);
  const isEmpty = /^[0.-]+$/.test(value);
  if (isEmpty && !hasCounts()) return;
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and has to be in step
  document.cookie = `${COUNTS_COOKIE}=${value}; path=/; max-age=${isEmpty ? 0 : COUNTS_MAX_AGE}; samesite=lax${secure}`;
}

/** Returns whether anything is stored, or was before the browser evicted it. */
export const hasCounts = (): boolean => PATTERN.test(document.cookie);

/** Saves how many of a kind are stored, after one was added or deleted. */
export function setStoredCount(kind: Kind, count: number): void {
  const { stored, evicted } = readCounts();
  writeCounts({ stored: { ...stored, [kind]: count }, evicted });
}

/** Counts one less, before one is deleted. Follow it with {@link setStoredCount}. */
export const decrementStoredCount = (kind: Kind): void =>
  setStoredCount(kind, Math.max(0, readCounts().stored[kind] - 1));

/**
 * Compares how many of a kind there are with the cookie, when their database is opened and before anything in it changes.
 * What's missing counts as evicted until {@link dismissEvicted}.
 */
export function detectEviction(kind: Kind, count: number): void {
  const { stored, evicted } = readCounts();
  const missing = Math.max(0, stored[kind] - count);
  writeCounts({
    stored: { ...stored, [kind]: count },
    evicted: { ...evicted, [kind]: evicted[kind] + missing },
  });
}

/** Returns what was evicted and not dismissed; null if nothing was. */
export function readEvicted(): Counts | null {
  const { evicted } = readCounts();
  return KINDS.some((kind) => evicted[kind] > 0) ? evicted : null;
}

/** Forgets what was evicted, once somebody has read about it. */
export const dismissEvicted = (): void => writeCounts({ stored: readCounts().stored, evicted: NONE });

const NAMES: Record<Kind, (count: number) => string> = {
  recordings: (count) =>
    count === 1 ? '1 recording that wasn’t uploaded' : `${count} recordings that weren’t uploaded`,
  uploads: (count) =>
    count === 1 ? '1 upload that wasn’t finished' : `${count} uploads that weren’t finished`,
  entries: (count) => `${count} ${count === 1 ? 'entry' : 'entries'} kept on this device`,
};

/** Describes what the browser has evicted, and what that means, in a few sentences. It doesn't say whose it was. */
export function describeEviction(evicted: Counts): string {
  const parts = KINDS.filter((kind) => evicted[kind] > 0).map((kind) => NAMES[kind](evicted[kind]));
  const list = new Intl.ListFormat('en').format(parts);
  const sentences = [`Your browser deleted ${list}, most likely to free up space.`];
  if (evicted.uploads > 0) sentences.push('To upload a video again, choose its file again.');
  if (evicted.entries > 0) sentences.push('Entries are still in your journal.');
  sentences.push('If other people use this browser, some of it may have been theirs.');
  return sentences.join(' ');
}
