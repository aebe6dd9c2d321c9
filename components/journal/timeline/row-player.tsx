import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { WAVEFORM_BOX, waveformPath } from '@/components/journal/player/waveform-path';
import { currentWord, wordStarts } from '@/components/journal/transcript/current-word';
import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { Word } from '@/lib/journal/transcripts/contract';

/** How long it goes on after the last word, in seconds. */
const TAIL = 0.5;

/** Returns the outline of an entry's waveform once it's loaded; null if there's none. */
function useWaveform(entryId: string): string | null {
  const [path, setPath] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    call('GET /entry/:id/waveform', { params: { id: entryId }, signal: stop.signal })
      .then(({ waveform }) => setPath(waveform && waveformPath(waveform)))
      // The line without it shows as much of the time.
      .catch(logRejected);
    return () => stop.abort();
  }, [entryId]);
  return path;
}

/**
 * Plays the moment of a row's sentence, and follows it in the row: its words, time, and progress are set outside React,
 * since they change with every frame. It stops when the row leaves the screen.
 */
export function RowPlayer({
  entryId,
  words,
  isMuted,
  isPaused,
  onPause,
  onLeave,
}: {
  entryId: string;
  words: readonly Word[];
  isMuted: boolean;
  isPaused: boolean;
  onPause: () => void;
  onLeave: () => void;
}) {
  const video = useRef<HTMLVideoElement>(null);
  const waveform = useWaveform(entryId);
  const [progress, setProgress] = useState<Element | null>(null);
  const start = words[0]?.start_time ?? 0;
  const end = words.at(-1)?.end_time;
  const pause = useEffectEvent(onPause);
  const leave = useEffectEvent(onLeave);

  useEffect(() => {
    const player = video.current;
    if (!player) return;
    if (isPaused) return player.pause();
    if (player.readyState > 0 && end !== undefined && player.currentTime >= end) player.currentTime = start;
    player.muted = isMuted;
    player.play().catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError' && !player.muted) {
        // Loading the code took so long that the browser has forgotten the press.
        player.muted = true;
        player.play().catch(() => pause());
      } else if (!(error instanceof DOMException && error.name === 'AbortError')) pause();
    });
  }, [isPaused, isMuted, start, end]);

  useEffect(() => {
    const player = video.current;
    const row = player?.closest<HTMLElement>('.timeline-row');
    if (!player || !row) return;
    setProgress(row.querySelector('.timeline-progress'));
    const starts = wordStarts(words);
    const spans = row.querySelectorAll('.timeline-quote > span');
    let frame = 0;
    const follow = () => {
      frame = requestAnimationFrame(follow);
      const { currentTime, duration } = player;
      const now = currentWord(starts, currentTime);
      for (const [index, span] of spans.entries()) {
        span.classList.toggle('said', index <= now);
        span.classList.toggle('now', index === now && !player.paused);
      }
      const time = row.querySelector('[data-time]');
      if (time) time.textContent = formatDuration(currentTime);
      if (duration > 0) row.style.setProperty('--at', String(currentTime / duration));
      if (!player.paused && end !== undefined && currentTime > end + TAIL) pause();
    };
    follow();
    const watcher = new IntersectionObserver((changes) => {
      if (!changes.at(-1)?.isIntersecting) leave();
    });
    watcher.observe(row);
    return () => {
      cancelAnimationFrame(frame);
      watcher.disconnect();
    };
  }, [words, end]);

  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the sentence that's said is beside it */}
      <video
        ref={video}
        src={`/api/v1/entry/${entryId}/video#t=${start}`}
        playsInline
        preload="none"
        tabIndex={-1}
        onEnded={onPause}
        onError={onLeave}
        className="absolute inset-0 size-full object-cover"
      />
      {progress &&
        waveform &&
        createPortal(
          <svg
            viewBox={`0 0 ${WAVEFORM_BOX.width} ${WAVEFORM_BOX.height}`}
            preserveAspectRatio="none"
            aria-hidden="true"
            className="timeline-waveform"
          >
            <path d={waveform} />
            <path d={waveform} className="played" />
          </svg>,
          progress,
        )}
    </>
  );
}
