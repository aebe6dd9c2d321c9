import { type RefObject, useRef } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { Group } from '@/components/ui/group';
import { CurrentTime, PlayButton, SkipButton } from './control-buttons';
import type { MediaState } from './use-media-state';
import { useProgress } from './use-progress';

/** What's next to the small picture once the page is scrolled past the player. The picture is still the same video. */
export function MiniPlayer({
  video,
  state,
  title,
}: {
  video: RefObject<HTMLVideoElement | null>;
  state: MediaState;
  title: string;
}) {
  const line = useRef<HTMLDivElement>(null);
  useProgress(video, line);
  return (
    <Group aria-label="Small player" className="player-mini">
      <div className="min-w-0 grow">
        <button
          type="button"
          title="Back to the player"
          onClick={() => window.scrollTo({ top: 0 })}
          className="block min-h-6 w-full truncate rounded-8 text-left text-15 font-semibold hover:underline"
        >
          {title}
        </button>
        <p className="truncate text-14 text-ink-2 tabular-nums">
          <CurrentTime video={video} /> of {formatDuration(state.duration)}
        </p>
      </div>
      <SkipButton video={video} direction={-1} />
      <PlayButton video={video} state={state} />
      <div ref={line} aria-hidden="true" className="player-mini-line" />
    </Group>
  );
}
