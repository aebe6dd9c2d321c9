import { matchTokens } from '@/lib/journal/transcripts/shared/match-tokens';

const tokenize = (text: string) => text.split(/\s+/).filter(Boolean);

/** Returns in how many places a text's words differ from another's. Words changed side by side count once. */
export function countChanges(before: string, after: string): number {
  if (before === after) return 0;
  const [old, edited] = [tokenize(before), tokenize(after)];
  let changes = 0;
  let [lastOld, lastEdited] = [-1, -1];
  for (const [index, place] of [...matchTokens(old, edited), edited.length].entries()) {
    if (place < 0) continue;
    if (index !== lastOld + 1 || place !== lastEdited + 1) changes += 1;
    [lastOld, lastEdited] = [index, place];
  }
  return changes;
}
