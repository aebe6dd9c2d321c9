/**
 * How much this device keeps that the browser could delete to free up space, in a cookie, since browsers don't delete cookies
 * with the rest. Only numbers, of all accounts: the cookie belongs to the device, and names nobody.
 *
 * The cookie never says more than there is, even for a moment: what's added is counted afterwards, and what's deleted is
 * subtracted before. So if there's less than it says, the browser has deleted something.
 */

/** Recordings that aren't uploaded, uploads that aren't finished, and entries kept on this device. */
const KINDS = ['recordings', 'uploads', 'entries'] as const;

export type KeptKind = (typeof KINDS)[number];
export type KeptCounts = Readonly<Record<KeptKind, number>>;

const NONE: KeptCounts = { recordings: 0, uploads: 0, entries: 0 };

export const KEPT_COOKIE = 'daylight-kept';

/** `2.0.3-1.0.0`: how many there are of each kind, and how many the browser has deleted. */
const PATTERN = /(?:^|; )daylight-kept=(\d+)\.(\d+)\.(\d+)-(\d+)\.(\d+)\.(\d+)/;

/** In seconds: 400 days, the longest that browsers allow. */
export const KEPT_MAX_AGE = 400 * 24 * 60 * 60;

export interface Marks {
  kept: KeptCounts;
  lost: KeptCounts;
}

/** Reads the counts from cookies, by default the page's. */
export function readMarks(cookies = document.cookie): Marks {
  const found = PATTERN.exec(cookies);
  if (!found) return { kept: NONE, lost: NONE };
  const [recordings = 0, uploads = 0, entries = 0, ...lost] = found.slice(1).map(Number);
  const [lostRecordings = 0, lostUploads = 0, lostEntries = 0] = lost;
  return {
    kept: { recordings, uploads, entries },
    lost: { recordings: lostRecordings, uploads: lostUploads, entries: lostEntries },
  };
}

/** Returns the cookie's value. */
export const formatMarks = ({ kept, lost }: Marks): string =>
  [kept, lost].map((some) => KINDS.map((kind) => some[kind]).join('.')).join('-');

function writeMarks(marks: Marks): void {
  const value = formatMarks(marks);
  const isEmpty = /^[0.-]+$/.test(value);
  if (isEmpty && !hasKeptMarks()) return;
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and has to be in step
  document.cookie = `${KEPT_COOKIE}=${value}; path=/; max-age=${isEmpty ? 0 : KEPT_MAX_AGE}; samesite=lax${secure}`;
}

/** Returns whether this device keeps something, or did before the browser deleted it. */
export const hasKeptMarks = (): boolean => PATTERN.test(document.cookie);

/** Saves how many of a kind there are, after one was added or deleted. */
export function markKept(kind: KeptKind, count: number): void {
  const { kept, lost } = readMarks();
  writeMarks({ kept: { ...kept, [kind]: count }, lost });
}

/** Counts one less, before one is deleted. Follow it with {@link markKept}. */
export const expectOneLess = (kind: KeptKind): void =>
  markKept(kind, Math.max(0, readMarks().kept[kind] - 1));

/**
 * Compares how many of a kind there are with the cookie, when their database is opened and before anything in it changes.
 * What's missing counts as deleted by the browser until {@link forgetLost}.
 */
export function reportKept(kind: KeptKind, count: number): void {
  const { kept, lost } = readMarks();
  const missing = Math.max(0, kept[kind] - count);
  writeMarks({ kept: { ...kept, [kind]: count }, lost: { ...lost, [kind]: lost[kind] + missing } });
}

/** Returns what the browser has deleted, and nobody has been told of yet; null if that's nothing. */
export function findLost(): KeptCounts | null {
  const { lost } = readMarks();
  return KINDS.some((kind) => lost[kind] > 0) ? lost : null;
}

/** Forgets what the browser has deleted, once somebody has read it. */
export const forgetLost = (): void => writeMarks({ kept: readMarks().kept, lost: NONE });
