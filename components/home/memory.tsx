import { Pause, Play } from 'lucide';
import Link from 'next/link';
import { useState } from 'react';
import { EntryDate } from '@/components/journal/entries/entry-date';
import { entryHref } from '@/components/journal/entries/entry-href';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { NoThumbnail } from '@/components/journal/entries/no-thumbnail';
import { HighlightedWords } from '@/components/journal/moments/highlighted-words';
import { useMoment } from '@/components/journal/moments/use-moment';
import { WaveformBars } from '@/components/journal/moments/waveform-bars';
import { currentWord, wordStarts } from '@/components/journal/transcript/current-word';
import { Icon } from '@/components/ui/icon';
import type { EntrySummary } from '@/lib/journal/entries/contract';
import type { Word } from '@/lib/journal/transcripts/contract';
import { MemoryMenu } from './memory-menu';

/** A memory as the dashboard shows it. */
export interface ShownMemory {
  entry: EntrySummary;
  /** What was said, with its words' times; empty if nobody spoke. */
  words: Word[];
  /** Empty while there's nothing to play. */
  videoUrl: string;
  /** How loud the video is over its length, from 0 to 1; empty if that isn't known. */
  peaks: number[];
}

/** Shows a memory: its face, and beside it what was said, which plays. */
export function Memory({
  memory: { entry, words, videoUrl, peaks },
  onHidden,
}: {
  memory: ShownMemory;
  onHidden: () => void;
}) {
  const [time, setTime] = useState<number | null>(null);
  const start = words[0]?.start_time ?? 0;
  const moment = useMoment({ start, end: words.at(-1)?.end_time ?? entry.duration ?? start + 10 }, setTime);
  const { title, date, thumbnail, duration } = entry;
  const current = moment.isPlaying && time !== null ? currentWord(wordStarts(words), time) : null;
  const href = words.length > 0 ? `${entryHref(entry)}?t=${start}` : entryHref(entry);
  return (
    <div className="grid items-start gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,520px)_minmax(0,1fr)]">
      <div className="relative aspect-video overflow-hidden rounded-12 bg-sunken ring-1 ring-line">
        {moment.isOpen ? (
          <video
            {...moment.video}
            src={videoUrl}
            poster={thumbnail || undefined}
            aria-label={`Video of ${title}`}
            className="size-full object-cover"
          />
        ) : thumbnail ? (
          <img
            src={thumbnail}
            alt={`Thumbnail for ${title}`}
            width={640}
            height={360}
            loading="lazy"
            decoding="async"
            className="size-full object-cover"
          />
        ) : (
          <NoThumbnail />
        )}
        {videoUrl && (
          <button
            type="button"
            onClick={moment.toggle}
            aria-label={moment.isPlaying ? 'Pause' : `Play what you said in “${title}”`}
            className="always-dark absolute bottom-4 left-4 grid size-15 place-items-center rounded-pill bg-canvas/90 text-ink hover:bg-canvas"
          >
            <Icon of={moment.isPlaying ? Pause : Play} fill="currentColor" aria-hidden="true" />
          </button>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-5">
        {words.length > 0 && (
          <blockquote className="font-serif text-[23px] leading-[1.42] text-pretty sm:text-[29px]">
            <HighlightedWords words={words} current={current} />
          </blockquote>
        )}
        {peaks.length > 0 && duration !== null && (
          <div>
            <WaveformBars peaks={peaks} at={(time ?? start) / duration} />
            <p className="mt-1.5 flex justify-between text-14 text-ink-3 tabular-nums">
              <span>{formatDuration(time ?? start)}</span>
              <span>{formatDuration(duration)}</span>
            </p>
          </div>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            href={href}
            className="min-w-0 py-2.5 text-15 font-semibold wrap-anywhere underline-offset-4 hover:underline"
          >
            {title}
          </Link>
          <EntryDate date={date} className="text-14 text-ink-3" />
          <div className="ml-auto max-sm:-ml-3.5 max-sm:w-full">
            <MemoryMenu entry={entry} onHidden={onHidden} />
          </div>
        </div>
      </div>
    </div>
  );
}
