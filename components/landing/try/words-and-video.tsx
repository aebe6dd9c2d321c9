import type { ReactNode } from 'react';
import { PlaybackProvider, usePlayback } from '@/components/player/playback';
import { Transcript } from '@/components/transcript/transcript';
import type { DraftTranscript } from '@/lib/speech/draft';

type SpokenWords = DraftTranscript['words'];

function Picture({ label, ...source }: { src: string; poster?: string; label: string }) {
  const { video } = usePlayback();
  return (
    <video
      {...source}
      ref={video}
      controls
      playsInline
      preload="auto"
      aria-label={label}
      className="aspect-video w-full rounded-12 bg-black object-contain"
    />
  );
}

/**
 * Shows a video and its words, each of which plays from where it was said.
 * @param words without any, `children` is shown instead
 */
export function WordsAndVideo({
  words,
  children,
  ...source
}: {
  src: string;
  poster?: string;
  label: string;
  words: SpokenWords;
  children?: ReactNode;
}) {
  const spoken = words.map(({ word, startTime, endTime }) => ({
    word,
    start_time: startTime,
    end_time: endTime,
  }));
  return (
    <PlaybackProvider>
      <Picture {...source} />
      {spoken.length > 0 ? (
        <div className="flex max-h-[240px] min-h-0 flex-col">
          <Transcript
            words={spoken}
            language="en"
            matches={[]}
            shown={undefined}
            markUnsure={false}
            onFindStep={() => {}}
          />
        </div>
      ) : (
        children
      )}
    </PlaybackProvider>
  );
}
