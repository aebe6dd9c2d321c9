import { formatBytes } from '@/lib/billing/plans/shared/format';
import type { AccountContents } from './contract';

const number = new Intl.NumberFormat('en-US');

/** Returns a number with its noun: `1 note`, `2,000 notes`. */
const counted = (count: number, one: string, many = `${one}s`) =>
  `${number.format(count)} ${count === 1 ? one : many}`;

/** Returns what an account has, one line for each kind that there is any of. */
export function describeContents(contents: AccountContents): string[] {
  const { entries, entriesInTrash, bytes, transcripts, revisions, notes, tags } = contents;
  const { hiddenMemories, vocabulary } = contents;
  const trash = entriesInTrash > 0 ? `, ${number.format(entriesInTrash)} of them in the trash` : '';
  const lines: [count: number, line: string][] = [
    [entries, `${counted(entries, 'entry', 'entries')}${trash}`],
    [bytes, `${formatBytes(bytes)} of video`],
    [transcripts, `${counted(transcripts, 'transcript')} with ${counted(revisions, 'revision')}`],
    [notes, counted(notes, 'note')],
    [tags, counted(tags, 'tag')],
    [hiddenMemories, counted(hiddenMemories, 'hidden memory', 'hidden memories')],
    [vocabulary, `${counted(vocabulary, 'word')} learned from your corrections`],
  ];
  return lines.filter(([count]) => count > 0).map(([, line]) => line);
}
