import { EyeOff, Pause, Play } from 'lucide';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useRef, useState } from 'react';
import { EntryDate, useFormatDate } from '@/components/journal/entries/entry-date';
import { entryHref } from '@/components/journal/entries/entry-href';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { NoThumbnail } from '@/components/journal/entries/no-thumbnail';
import { capitalize, yearsAgo } from '@/components/journal/entries/number-words';
import { HighlightedWords, useMoment, WaveformBars } from '@/components/journal/moments/moment';
import { currentWord, wordStarts } from '@/components/journal/transcript/current-word';
import { Icon } from '@/components/ui/icon';
import { keyOf } from '@/components/ui/key-of';
import { Menu, MenuItem } from '@/components/ui/menu';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { type Body, call } from '@/lib/api/shared/client';
import type { EntrySummary } from '@/lib/journal/entries/contract';
import type { Memory as StoredMemory } from '@/lib/journal/memories/service';

/** A memory as the dashboard shows it. */
interface ShownMemory extends Omit<StoredMemory, 'waveform'> {
  /** How loud the video is over its length, from 0 to 1; empty if that isn't known. */
  peaks: number[];
}

/**
 * Hides a memory from On This Day: this entry, every entry with one of its tags, or its date.
 * @param onHidden runs before the card disappears, to move the focus
 */
function MemoryMenu({ entry, onHidden }: { entry: EntrySummary; onHidden: () => void }) {
  const router = useRouter();
  const formatDate = useFormatDate();

  function undo(id: string) {
    call('DELETE /memories/hidden/:id', { params: { id } }).then(() => router.refresh(), showError);
  }

  async function hide(body: Body<'POST /memories/hidden'>, done: string) {
    try {
      const { id } = await call('POST /memories/hidden', { body });
      onHidden();
      router.refresh();
      toast.success(`${done} hidden from On This Day.`, { label: 'Undo', onPress: () => undo(id) });
    } catch (error) {
      showError(error);
    }
  }

  const { id, title, date, tags } = entry;
  return (
    <Menu
      label={`Not this one: hide “${title}”`}
      text="Not this one"
      icon={<Icon of={EyeOff} className="size-4.5" aria-hidden="true" />}
    >
      <MenuItem onSelect={() => void hide({ entryId: id }, `“${title}” is`)}>Hide this entry</MenuItem>
      {tags.map((tag) => (
        <MenuItem
          key={tag.id}
          onSelect={() => void hide({ tagId: tag.id }, `Entries tagged ${tag.name} are`)}
        >
          <span className="max-w-60 truncate">
            Hide entries tagged <bdi>{tag.name}</bdi>
          </span>
        </MenuItem>
      ))}
      <MenuItem onSelect={() => void hide({ date }, `Entries from ${formatDate(date)} are`)}>
        Hide this date
      </MenuItem>
    </Menu>
  );
}

/** Shows a memory: its face, and beside it what was said, which plays. */
function Memory({
  memory: { entry, words, language, videoUrl, peaks },
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
          <blockquote
            dir="auto"
            lang={language ?? undefined}
            className="font-serif text-[23px] leading-[1.42] text-pretty sm:text-[29px]"
          >
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
            dir="auto"
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

/** Returns how the section is headed, such as 'Two years ago you said…'. */
function headingOf({ entry, words }: ShownMemory, thisYear: number): string {
  return `${capitalize(yearsAgo(thisYear - entry.date.year))} you ${words.length > 0 ? 'said' : 'recorded'}…`;
}

/** Shows what was said on this day in earlier years, one year at a time. */
export function Memories({ memories, thisYear }: { memories: ShownMemory[]; thisYear: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const tabs = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(0);
  // The chosen one may have been hidden.
  const shown = memories[chosen] ?? memories[0];
  if (!shown) return null;

  function move(event: KeyboardEvent) {
    const last = memories.length - 1;
    const here = Math.min(chosen, last);
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: last }[keyOf(event)];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + memories.length) % memories.length;
    setChosen(next);
    tabs.current?.querySelectorAll('button')[next]?.focus();
  }

  return (
    <section
      aria-label="On This Day"
      className="flex flex-col gap-5 max-sm:-mx-4 max-sm:bg-sunken max-sm:px-4 max-sm:py-8"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 ref={heading} tabIndex={-1} className="heading text-[26px]">
          {headingOf(shown, thisYear)}
        </h2>
        <div ref={tabs} role="tablist" aria-label="Years" onKeyDown={move} className="flex flex-wrap">
          {memories.map(({ entry }, index) => (
            <button
              key={entry.id}
              type="button"
              role="tab"
              id={`memory-${entry.date.year}`}
              aria-selected={entry === shown.entry}
              aria-controls="memory"
              tabIndex={entry === shown.entry ? 0 : -1}
              onClick={() => setChosen(index)}
              className="min-h-11 rounded-pill px-3.5 text-15 font-medium text-ink-2 tabular-nums hover:bg-sunken hover:text-ink aria-selected:bg-accent-soft aria-selected:font-semibold aria-selected:text-accent-ink"
            >
              {entry.date.year}
            </button>
          ))}
        </div>
      </div>
      <div id="memory" role="tabpanel" aria-labelledby={`memory-${shown.entry.date.year}`}>
        <Memory key={shown.entry.id} memory={shown} onHidden={() => heading.current?.focus()} />
      </div>
    </section>
  );
}
