import { Fragment, useEffect, useRef, useState } from 'react';
import type { Word } from '@/lib/journal/transcripts/contract';
import { endsSentence } from '@/lib/journal/transcripts/shared/ends-sentence';

/** A moment of a video, in seconds. */
interface Moment {
  start: number;
  end: number;
}

/** How long to go on after the last word, in seconds. */
const AFTER = 0.4;

/**
 * Plays a moment of a video, from its first word to its last. Nothing loads before it's played the first time: until
 * then, `isOpen` is false, and there needs to be no video.
 * @param onTime called with the current time on every frame while it plays
 */
export function useMoment({ start, end }: Moment, onTime: (seconds: number) => void) {
  const video = useRef<HTMLVideoElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isPlaying, setIsPlaying] = useState(false);
  const report = useRef(onTime);
  report.current = onTime;

  useEffect(() => {
    if (!isPlaying) return;
    let frame = requestAnimationFrame(function look() {
      const player = video.current;
      if (!player) return;
      if (player.currentTime >= end + AFTER) player.pause();
      report.current(player.currentTime);
      frame = requestAnimationFrame(look);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, end]);

  function play() {
    const player = video.current;
    if (!player) return;
    const { currentTime } = player;
    if (currentTime < start - AFTER || currentTime >= end) player.currentTime = start;
    // A browser may refuse, and the button still says "Play" then.
    player.play().catch(() => {});
  }

  return {
    isOpen,
    isPlaying,
    toggle() {
      if (!isOpen) setIsOpen(true);
      else if (video.current?.paused) play();
      else video.current?.pause();
    },
    /** The properties of the video element, which is shown once the moment is open. */
    video: {
      ref: video,
      playsInline: true,
      preload: 'metadata',
      onLoadedMetadata: play,
      onPlay: () => setIsPlaying(true),
      onPause: () => setIsPlaying(false),
      onError: () => setIsOpen(false),
    } as const,
  };
}

/**
 * Shows words as they're spoken: those to come are paler, and the current one is marked.
 * @param current the index of the current word; null if nothing is playing
 */
export function HighlightedWords({ words, current }: { words: readonly Word[]; current: number | null }) {
  const last = words.at(-1)?.word ?? '';
  const spans = words.map(({ word, start_time }, index) => {
    const isLater = current !== null && index > current;
    const look = index === current ? 'rounded-[4px] bg-mark ring-3 ring-mark' : isLater ? 'text-ink-3' : '';
    return (
      <Fragment key={start_time}>
        {index > 0 && ' '}
        <span className={`transition-colors duration-120 ${look}`}>{word}</span>
      </Fragment>
    );
  });
  return (
    <>
      {spans}
      {!endsSentence(last) && <span> …</span>}
    </>
  );
}

const STEP = 4;
const HEIGHT = 44;
/** Silence has a height too, so that the line never breaks. */
const LEAST = 2;

/**
 * Draws how loud a video is as bars, those that have been played in the accent color, with a line where it is now.
 * @param peaks from 0 to 1
 * @param at how much of the video has been played, from 0 to 1
 */
export function WaveformBars({ peaks, at }: { peaks: readonly number[]; at: number }) {
  const bars = peaks.map((peak, index) => {
    const half = Math.max(LEAST, peak * HEIGHT) / 2;
    return `M${index * STEP + 2} ${(HEIGHT / 2 - half).toFixed(1)}v${(2 * half).toFixed(1)}`;
  });
  const width = peaks.length * STEP;
  const played = Math.round(at * peaks.length);
  const common = { strokeWidth: 2.2, strokeLinecap: 'round', fill: 'none' } as const;
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="block h-11 w-full"
    >
      <path d={bars.slice(0, played).join('')} stroke="var(--accent)" {...common} />
      <path d={bars.slice(played).join('')} stroke="var(--ink-3)" opacity={0.55} {...common} />
      {at > 0 && <path d={`M${at * width} 0v${HEIGHT}`} stroke="var(--now)" strokeWidth={2} />}
    </svg>
  );
}
