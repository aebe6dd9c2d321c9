import { formatBytes, formatSpanInWords } from '@/lib/billing/plans/shared/format';
import type { Pace } from '@/lib/journal/entries/pace';
import { addDays, type CalendarDate, toIso } from '@/lib/journal/entries/shared/calendar';

type Recent = Pace['recent'];

/** A pace says something from this many days and entries on. */
const LEAST = { days: 14, entries: 3 };
/** Further ahead, a date would be a guess, in days. */
const FURTHEST = 730;
/** Up to when a date does without its year, in days. */
const WITHIN_A_YEAR = 330;

const number = new Intl.NumberFormat('en-US');

const NUMBER_WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Returns what's left as it's said: `36 more`. */
const more = (left: number): string => `${number.format(left)} more.`;

/** Returns how many more videos fit, and until when that lasts if people go on as in the last 90 days. */
export function describeVideosLeft(left: number, recent: Recent, today: CalendarDate): string {
  if (left <= 0) return 'No more videos fit. Delete some to make space.';
  const { days, entries } = recent;
  if (days < LEAST.days || entries < LEAST.entries) return more(left);
  const ahead = Math.floor((left * days) / entries);
  if (ahead > FURTHEST) return more(left);
  const day = new Date(toIso(addDays(today, ahead))).toLocaleDateString('en-US', {
    month: 'long',
    day: 'numeric',
    year: ahead > WITHIN_A_YEAR ? 'numeric' : undefined,
    timeZone: 'UTC',
  });
  return `${more(left)} At your pace that lasts until ${day}.`;
}

/** Returns a typical length in words: `six minutes`, `45 seconds`. */
function typicalLength(seconds: number): [text: string, seconds: number] {
  if (seconds < 55) {
    const rounded = Math.max(5, Math.round(seconds / 5) * 5);
    return [formatSpanInWords(rounded), rounded];
  }
  const minutes = Math.max(1, Math.round(seconds / 60));
  const word = NUMBER_WORDS[minutes - 1] ?? String(minutes);
  return [`${word} ${minutes === 1 ? 'minute' : 'minutes'}`, minutes * 60];
}

/** Returns how many more entries of the usual length fit, as in the last 90 days. */
export function describeTimeLeft(left: number, recent: Recent): string {
  if (left <= 0) return 'All your time is used. Delete entries to make space.';
  if (recent.entries === 0 || recent.seconds <= 0) return `${formatSpanInWords(left)} more.`;
  const [length, seconds] = typicalLength(recent.seconds / recent.entries);
  const count = Math.floor(left / seconds);
  if (count < 1) return `${formatSpanInWords(left)} more.`;
  return `About ${number.format(count)} more ${count === 1 ? 'entry' : 'entries'} of ${length}.`;
}

/** Returns how much storage is left, and how to get more. */
export const describeStorageLeft = (left: number): string =>
  `${left > 0 ? `${formatBytes(left)} more.` : 'No storage left.'} Deleting entries frees up space right away.`;

/** Returns what's recorded and what the plan still has, in two sentences. */
export function describeUse(plan: string, use: number, limit: number): [string, string] {
  const used = use > 0 ? `You’ve recorded ${formatSpanInWords(use)}.` : 'You haven’t recorded anything yet.';
  if (limit <= use) return [used, `That’s all the time ${plan} has.`];
  const left = formatSpanInWords(limit - use);
  return [used, `${plan} has space for ${left}${use > 0 ? ' more' : ''}.`];
}
