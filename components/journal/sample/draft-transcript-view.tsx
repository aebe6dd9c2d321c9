import { Transcript } from '@/components/journal/transcript/transcript';
import type { DraftTranscript } from '@/lib/video/speech/draft';

/** Shows words that belong to no entry, each of which plays from where it was said. Needs a `PlaybackProvider`. */
export function DraftTranscriptView({ words }: Pick<DraftTranscript, 'words'>) {
  const spoken = words.map(({ word, startTime, endTime }) => ({
    word,
    start_time: startTime,
    end_time: endTime,
  }));
  return <Transcript words={spoken} language="en" />;
}
