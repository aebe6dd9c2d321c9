import { type Counts, KINDS, type Kind } from './eviction-detection';

const NAMES: Record<Kind, (count: number) => string> = {
  recordings: (count) =>
    count === 1 ? '1 recording that wasn’t uploaded' : `${count} recordings that weren’t uploaded`,
  uploads: (count) =>
    count === 1 ? '1 upload that wasn’t finished' : `${count} uploads that weren’t finished`,
  entries: (count) => `${count} ${count === 1 ? 'entry' : 'entries'} kept on this device`,
};

const list = new Intl.ListFormat('en');

/** Describes what the browser has evicted, and what that means, in a few sentences. It doesn't say whose it was. */
export function describeEviction(evicted: Counts): string {
  const parts = KINDS.filter((kind) => evicted[kind] > 0).map((kind) => NAMES[kind](evicted[kind]));
  const sentences = [`Your browser deleted ${list.format(parts)}, most likely to free up space.`];
  if (evicted.uploads > 0) sentences.push('To upload a video again, choose its file again.');
  if (evicted.entries > 0) sentences.push('Entries are still in your journal.');
  sentences.push('If other people use this browser, some of it may have been theirs.');
  return sentences.join(' ');
}
