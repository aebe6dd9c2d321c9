import { PlaybackProvider, usePlayback } from '@/components/journal/player/playback';
import { DraftTranscriptView } from '@/components/journal/sample/draft-transcript-view';
import type { Elements } from '@/components/ui/elements';
import type { DraftTranscript } from '@/lib/video/speech/draft';

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
  words: DraftTranscript['words'];
  children?: Elements;
}) {
  return (
    <PlaybackProvider>
      <Picture {...source} />
      {words.length > 0 ? (
        <div className="flex max-h-[240px] min-h-0 flex-col">
          <DraftTranscriptView words={words} />
        </div>
      ) : (
        children
      )}
    </PlaybackProvider>
  );
}
