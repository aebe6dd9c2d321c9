'use client';

import Link from 'next/link';
import type { Elements } from '@/components/ui/elements';
import { Skeleton } from '@/components/ui/loading';
import { TagDot } from '@/components/ui/tag-dot';
import type { EntrySummary } from '@/lib/journal/entries/contract';
import { formatUsDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { DurationBadge } from './duration-badge';
import { entryHref } from './entry-href';
import { EntryPicture } from './entry-picture';
import { NoThumbnail } from './no-thumbnail';

/** How many cards a row has at most. */
export const FIRST_ROW = 3;

/** The grid of entry cards: three columns, two or one. */
export const ENTRY_GRID = 'grid gap-x-6 gap-y-8 sm:grid-cols-2 lg:grid-cols-3';

/** Says what's up with an entry that can't be played. */
export function StatusBadge({ status, heldByPlan }: Pick<EntrySummary, 'status' | 'heldByPlan'>) {
  if (status === 'completed') return null;
  const [text, color] = heldByPlan
    ? ["You have reached your plan's quota.", 'text-warn']
    : status === 'failed'
      ? ['We couldn’t process this video', 'text-danger']
      : ['Processing', 'text-ink-2'];
  return <span className={`rounded-8 bg-surface px-2 py-0.5 text-13 font-semibold ${color}`}>{text}</span>;
}

/** Renders an entry as a card with a single link: thumbnail, duration, title, date and tags. */
export function EntryCard({
  entry,
  dateFormat,
  heading: Heading = 'h2',
  isInView = false,
  isOffline = false,
  morphs = false,
  children,
}: {
  entry: EntrySummary;
  dateFormat: 'us' | 'iso';
  /** `h3` where the cards are under a heading of level 2. */
  heading?: 'h2' | 'h3';
  /** Whether it's on screen when the page opens, so that its picture doesn't wait for the layout. */
  isInView?: boolean;
  /** Whether its link loads a whole page, which works without a network. */
  isOffline?: boolean;
  /** Whether its picture turns into the entry's player. Only one card of an entry on a page may. */
  morphs?: boolean;
  /** Controls above the link. */
  children?: Elements;
}) {
  const { title, thumbnail, duration, status, heldByPlan, date, tags } = entry;
  const iso = toIso(date);
  const EntryLink = isOffline ? 'a' : Link;
  const picture = (
    <div className="relative aspect-video overflow-hidden rounded-12 bg-sunken shadow-sm ring-1 ring-line transition-shadow duration-120 group-hover:shadow-lg in-data-picked:ring-3 in-data-picked:ring-accent">
      {thumbnail ? (
        <img
          src={thumbnail}
          alt={`Thumbnail for ${title}`}
          width={640}
          height={360}
          loading={isInView ? 'eager' : 'lazy'}
          fetchPriority={isInView ? 'high' : undefined}
          decoding="async"
          className="size-full object-cover text-14 text-ink-3"
        />
      ) : status === 'processing' ? (
        <div className="grid size-full place-items-center text-14 text-ink-3">Loading...</div>
      ) : (
        <NoThumbnail />
      )}
      <div className="absolute inset-x-2 bottom-2 flex items-end justify-between gap-2">
        <StatusBadge status={status} heldByPlan={heldByPlan} />
        {duration !== null && <DurationBadge seconds={duration} />}
      </div>
    </div>
  );
  return (
    <article className="group relative flex min-w-0 flex-col gap-2.5">
      {morphs ? <EntryPicture entryId={entry.id}>{picture}</EntryPicture> : picture}
      <div className="flex flex-col gap-1">
        <Heading dir="auto" className="line-clamp-2 text-17 font-semibold">
          <EntryLink href={entryHref(entry)} className="after:absolute after:inset-0 after:rounded-12">
            {title}
          </EntryLink>
        </Heading>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-14 text-ink-3">
          <time dateTime={iso}>{dateFormat === 'us' ? formatUsDate(date) : iso}</time>
          {tags.map((tag) => (
            <TagDot key={tag.id} name={tag.name} color={tag.color} />
          ))}
        </div>
      </div>
      {children}
    </article>
  );
}

/** Renders entries as a grid of cards, under a heading of level 2. */
export function EntryCards({ entries }: { entries: EntrySummary[] }) {
  return (
    <div className={ENTRY_GRID}>
      {entries.map((entry) => (
        <EntryCard key={entry.id} entry={entry} dateFormat="us" heading="h3" />
      ))}
    </div>
  );
}

/** Renders placeholders the size of `count` cards. */
export function EntryCardSkeletons({ count }: { count: number }) {
  return (
    <div className={ENTRY_GRID}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical and never reordered
        <div key={index} className="flex flex-col gap-2.5">
          <Skeleton className="aspect-video" />
          <div className="flex flex-col gap-1">
            <Skeleton className="h-6 w-3/4" />
            <Skeleton className="h-5 w-1/2" />
          </div>
        </div>
      ))}
    </div>
  );
}
