'use client';

import { type CSSProperties, type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import type { Previews } from '@/lib/video/previews/service';
import { usePlayback } from './playback';
import { seek } from './player-commands';
import './time-bar.css';
import { keyOf } from '@/components/ui/key-of';
import { useCurrentSecond, useProgress, useVideoEvents } from './use-media-state';
import { WAVEFORM_BOX, waveformPath } from './waveform-path';

const UNITS = [
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Formats a duration as spoken: '1 minute 5 seconds'. Drops fractions. */
export function formatSpokenDuration(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds));
  const parts: string[] = [];
  for (const [size, unit] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ') || '0 seconds';
}

/** How far arrow and page keys seek, in seconds; less in short videos. */
const ARROW_SECONDS = 5;
const PAGE_SECONDS = 60;

/**
 * Seeks by dragging: runs one seek at a time, always to the latest position, pauses the video meanwhile and resumes it
 * on release.
 */
function useScrub() {
  const { video, run } = usePlayback();
  const dragging = useRef(false);
  const wanted = useRef<number | null>(null);
  const resumeOnRelease = useRef(false);

  useVideoEvents('seeked', (player) => {
    if (wanted.current !== null) seek(player, wanted.current);
    wanted.current = null;
  });

  return {
    /** Whether the bar is being dragged. */
    held: dragging,
    hold() {
      dragging.current = true;
      resumeOnRelease.current = video.current?.paused === false;
      video.current?.pause();
    },
    to(seconds: number) {
      run((player) => {
        if (player.seeking) wanted.current = seconds;
        else seek(player, seconds);
      });
    },
    release() {
      dragging.current = false;
      if (resumeOnRelease.current) video.current?.play().catch(() => {});
      resumeOnRelease.current = false;
    },
  };
}

/** Shows the thumbnail and the time at a point on the bar. */
function Preview({
  share,
  duration,
  storyboard,
}: {
  share: number;
  duration: number;
  storyboard: Previews['storyboard'];
}) {
  const seconds = share * duration;
  const style: Record<string, string> = { '--share': String(share) };
  let picture: CSSProperties | undefined;
  if (storyboard) {
    const { url, everySeconds, count, columns, width, height } = storyboard;
    const index = Math.min(Math.floor(seconds / everySeconds), count - 1);
    const [column, row] = [index % columns, Math.floor(index / columns)];
    picture = {
      width,
      height,
      backgroundImage: `url(${url})`,
      backgroundPosition: `${-column * width}px ${-row * height}px`,
    };
    style['--half'] = `${width / 2}px`;
  }
  return (
    <div aria-hidden="true" className="player-preview" style={style}>
      {picture && <div className="player-picture" style={picture} />}
      <span className="rounded-8 bg-black/75 px-2 py-0.5 text-13 text-white tabular-nums">
        {formatDuration(seconds)}
      </span>
    </div>
  );
}

/** Shows and changes the playback position: a slider with the waveform, and a thumbnail under the pointer. */
export function TimeBar({
  duration,
  playing,
  previews,
}: {
  /** Seconds. */
  duration: number;
  playing: boolean;
  previews: Previews;
}) {
  const { video } = usePlayback();
  const bar = useRef<HTMLDivElement>(null);
  const scrub = useScrub();
  const [pointed, setPointed] = useState<number | null>(null);
  const second = useCurrentSecond();
  useProgress(bar, scrub.held);
  const path = useMemo(() => previews.waveform && waveformPath(previews.waveform), [previews.waveform]);
  const layer = useMemo(
    () => (
      <>
        {path && (
          <svg
            aria-hidden="true"
            className="player-waveform"
            viewBox={`0 0 ${WAVEFORM_BOX.width} ${WAVEFORM_BOX.height}`}
            preserveAspectRatio="none"
          >
            <path d={path} />
          </svg>
        )}
        <div className="player-line" />
      </>
    ),
    [path],
  );

  function shareAt({ clientX }: PointerEvent): number {
    const { left, width } = (bar.current as HTMLElement).getBoundingClientRect();
    return width > 0 ? Math.min(Math.max((clientX - left) / width, 0), 1) : 0;
  }

  function point(event: PointerEvent) {
    const share = shareAt(event);
    setPointed(share);
    if (!scrub.held.current) return;
    bar.current?.style.setProperty('--at', String(share));
    scrub.to(share * duration);
  }

  function key(event: KeyboardEvent) {
    const player = video.current;
    if (!player || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = Math.min(ARROW_SECONDS, duration / 20);
    const page = Math.min(PAGE_SECONDS, duration / 5);
    const { currentTime } = player;
    const to = {
      ArrowRight: currentTime + arrow,
      ArrowUp: currentTime + arrow,
      ArrowLeft: currentTime - arrow,
      ArrowDown: currentTime - arrow,
      PageUp: currentTime + page,
      PageDown: currentTime - page,
      Home: 0,
      End: duration,
    }[keyOf(event)];
    if (to === undefined) return;
    event.preventDefault();
    seek(player, to);
  }

  return (
    <div
      ref={bar}
      role="slider"
      tabIndex={0}
      aria-label="Time"
      aria-valuemin={0}
      aria-valuemax={Math.floor(duration)}
      aria-valuenow={Math.min(second, Math.floor(duration))}
      aria-valuetext={`${formatSpokenDuration(second)} of ${formatSpokenDuration(duration)}`}
      data-playing={playing || undefined}
      onKeyDown={key}
      onPointerDown={(event) => {
        if (event.button !== 0 || !(duration > 0)) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        scrub.hold();
        point(event);
      }}
      onPointerMove={point}
      onLostPointerCapture={() => scrub.release()}
      onPointerLeave={() => setPointed(null)}
      className="player-bar"
    >
      <div className="player-track">
        {layer}
        <div className="player-loaded player-line" />
        <div className="player-played">
          <div>{layer}</div>
        </div>
      </div>
      <div className="player-head" />
      {pointed !== null && duration > 0 && (
        <Preview share={pointed} duration={duration} storyboard={previews.storyboard} />
      )}
    </div>
  );
}
