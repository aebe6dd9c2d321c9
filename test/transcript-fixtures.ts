import type { StoredWord } from '@/db/schema/transcripts';
import { publishTranscriptParts, saveTranscriptPart } from '@/lib/journal/transcripts/machine-transcript';

/** Gives an entry the machine's transcript, as the job does that hears it in one part. */
export async function publishTranscript(
  entry: { userId: string; entryId: string },
  heard: Parameters<typeof saveTranscriptPart>[2],
): Promise<void> {
  await saveTranscriptPart(entry, 0, heard);
  await publishTranscriptParts(entry, 1);
}

/** Returns the words of a text as a client sends them, one a second, of half a second each. */
export const said = (text: string) =>
  text.split(' ').map((word, index) => ({ word, startTime: index, endTime: index + 0.5 }));

/** Returns the same words as they're stored. */
export const storedWords = (text: string): StoredWord[] =>
  said(text).map(({ word, startTime, endTime }) => [word, startTime, endTime]);
