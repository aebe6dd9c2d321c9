import { PlaybackProvider, usePlayback } from '@/components/journal/player/playback';
import { DraftTranscriptView } from '@/components/journal/sample/draft-transcript-view';
import type { Elements } from '@/components/ui/elements';
import type { DraftTranscript } from '@/lib/video/speech/draft';

interface Source {
  src: string;
  poster?: string;
  label: string;
  /** Whether it plays at once, if the browser allows that. */
  autoPlay?: boolean;
}

function Picture({ label, ...source }: Source) {
  const { video } = usePlayback();
  return (
    <video
      {...source}
      ref={video}
      controls
      playsInline
      preload="auto"
      aria-label={label}
      className="aspect-video min-h-0 w-full rounded-12 bg-black object-contain"
    />
  );
}

/**
 * Shows a video and its words, each of which plays from where it was said. In a column of a fixed height, the words have
 * what the video leaves, and at least a few lines.
 * @param words without any, `children` is shown instead
 */
export function WordsAndVideo({
  words,
  children,
  ...source
}: Source & {
  words: DraftTranscript['words'];
  children?: Elements;
}) {
  return (
    <PlaybackProvider>
      <Picture {...source} />
      <div className="flex min-h-32 grow basis-0 flex-col overflow-hidden">
        {words.length > 0 ? <DraftTranscriptView words={words} /> : children}
      </div>
    </PlaybackProvider>
  );
}
