import { Pause, Play, StickyNote } from 'lucide';
import Link from 'next/link';
import { Fragment, memo, Suspense, useEffect, useRef } from 'react';
import { weekdayOf } from '@/components/journal/entries/calendar-names';
import { DurationBadge } from '@/components/journal/entries/duration-badge';
import { StatusBadge } from '@/components/journal/entries/entry-card';
import { entryHref } from '@/components/journal/entries/entry-href';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { NoThumbnail } from '@/components/journal/entries/no-thumbnail';
import { Icon } from '@/components/ui/icon';
import { lazyComponent } from '@/components/ui/load-code';
import { TagDot } from '@/components/ui/tag-dot';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import type { TimelineRow as Row } from '@/lib/journal/timeline/contract';
import { formatLongDate } from './timeline-text';
import './timeline-strip.css';
import { keyOf } from '@/components/ui/key-of';

const RowPlayer = lazyComponent(() => import('./row-player'), 'RowPlayer');

/** How long a mouse rests on a row before it plays, in milliseconds. */
const HOVER_DELAY = 400;

/** How a row plays. */
export interface RowPlayback {
  isMuted: boolean;
  isPaused: boolean;
}

/** Returns whether videos may play just because the mouse is on them. */
function playsOnHover(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return !connection?.saveData && !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/**
 * Calls back once a mouse has rested on an element, and when it leaves. An element that only moved under a mouse isn't
 * meant, and whoever points at a link is about to press it: what plays would push it away.
 */
function useHover(onRest: () => void, onLeave: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const forget = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerMove({ pointerType, target }: { pointerType: string; target: EventTarget }) {
      if (target instanceof Element && target.closest('a')) return forget();
      if (timer.current !== undefined || pointerType !== 'mouse' || !playsOnHover()) return;
      timer.current = setTimeout(onRest, HOVER_DELAY);
    },
    onPointerLeave() {
      forget();
      onLeave();
    },
  };
}

function Quote({ words, language, isPlaying }: Pick<Row, 'words' | 'language'> & { isPlaying: boolean }) {
  return (
    <p dir="auto" lang={language ?? undefined} className="timeline-quote">
      {isPlaying
        ? words.map(({ word }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: words never move
            <Fragment key={index}>
              {index > 0 && ' '}
              <span>{word}</span>
            </Fragment>
          ))
        : words.map(({ word }) => word).join(' ')}
    </p>
  );
}

/**
 * An entry of the timeline: its day, best sentence, title, and picture, which plays the moment of the sentence.
 * @param playback null unless it plays
 */
export const TimelineRow = memo(function TimelineRow({
  row: { entry, question, words, language, notes },
  showsDay,
  playback,
  onPlay,
  onStop,
}: {
  row: Row;
  /** Whether it's the first of its day. */
  showsDay: boolean;
  playback: RowPlayback | null;
  onPlay: (id: string, playback: RowPlayback) => void;
  onStop: (id: string) => void;
}) {
  const { id, title, thumbnail, duration, date, tags } = entry;
  const canPlay = entry.status === 'completed';
  const start = words[0]?.start_time ?? 0;
  const isPlaying = playback !== null && !playback.isPaused;
  const hover = useHover(
    () => {
      if (canPlay && !playback) onPlay(id, { isMuted: true, isPaused: false });
    },
    () => {
      if (playback?.isMuted) onStop(id);
    },
  );
  // A row that plays without sound, since the mouse rests on it, is unmuted by a press.
  const press = () => onPlay(id, { isMuted: false, isPaused: isPlaying && !playback.isMuted });
  const href = words.length > 0 ? `${entryHref(entry)}?t=${Math.floor(start * 10) / 10}` : entryHref(entry);

  return (
    <li
      className="timeline-row"
      data-entry={id}
      data-playing={playback ? '' : undefined}
      {...hover}
      onKeyDown={(event) => {
        if (keyOf(event) === 'Escape' && playback) onStop(id);
      }}
    >
      <div className="timeline-day">
        <time dateTime={toIso(date)} className="sr-only">
          {formatLongDate(date)}
        </time>
        {showsDay && (
          <span aria-hidden="true">
            <b>{date.day}</b>
            <span className="max-sm:hidden">{weekdayOf(date)}</span>
            <span className="sm:hidden">{weekdayOf(date).slice(0, 3)}</span>
          </span>
        )}
      </div>
      <div className="timeline-words">
        {question && (
          <p dir="auto" className="text-14 text-pretty text-ink-2">
            {question}
          </p>
        )}
        {words.length > 0 && <Quote words={words} language={language} isPlaying={playback !== null} />}
        {playback && (
          <div className="timeline-strip">
            <button type="button" tabIndex={-1} aria-hidden="true" onClick={press}>
              <Icon of={isPlaying ? Pause : Play} className="size-5" fill="currentColor" />
            </button>
            <span className="timeline-progress" />
            <span data-time className="text-14 text-ink-2 tabular-nums">
              {formatDuration(start)}
            </span>
            {duration !== null && (
              <span className="text-14 text-ink-2 tabular-nums">/ {formatDuration(duration)}</span>
            )}
          </div>
        )}
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-0.5">
          <h3 dir="auto" className={words.length > 0 ? 'text-15 font-semibold' : 'timeline-quote w-full'}>
            <Link href={href} prefetch={false} className="inline-block min-h-6 hover:underline">
              {title}
            </Link>
          </h3>
          {tags.map((tag) => (
            <TagDot key={tag.id} name={tag.name} color={tag.color} />
          ))}
          {notes > 0 && (
            <span className="inline-flex items-center gap-1.5 text-13 text-ink-2">
              <Icon of={StickyNote} className="size-3.5" aria-hidden="true" />
              {notes === 1 ? '1 note' : `${notes} notes`}
            </span>
          )}
        </div>
      </div>
      <div className="timeline-picture">
        {thumbnail ? (
          <img src={thumbnail} alt="" loading="lazy" decoding="async" className="size-full object-cover" />
        ) : (
          <NoThumbnail />
        )}
        {playback && (
          <Suspense>
            <RowPlayer
              entryId={id}
              words={words}
              {...playback}
              onPause={() => onPlay(id, { ...playback, isPaused: true })}
              onLeave={() => onStop(id)}
            />
          </Suspense>
        )}
        <div className="absolute inset-x-2 bottom-2 flex items-end justify-between gap-2">
          <StatusBadge status={entry.status} heldByPlan={entry.heldByPlan} />
          {duration !== null && !playback && <DurationBadge seconds={duration} />}
        </div>
        {canPlay && (
          <button
            type="button"
            aria-label={`${isPlaying ? 'Pause' : 'Play'} ${title}`}
            onClick={press}
            className="timeline-play"
          >
            <Icon of={isPlaying ? Pause : Play} className="size-5" fill="currentColor" aria-hidden="true" />
          </button>
        )}
      </div>
    </li>
  );
});
