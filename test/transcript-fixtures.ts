import { publishTranscriptParts, saveTranscriptPart } from '@/lib/transcripts/service';

/** Gives an entry the machine's transcript, as the job does that hears it in one part. */
export async function publishTranscript(
  entry: { userId: string; entryId: string },
  heard: Parameters<typeof saveTranscriptPart>[2],
): Promise<void> {
  await saveTranscriptPart(entry, 0, heard);
  await publishTranscriptParts(entry, 1);
}
