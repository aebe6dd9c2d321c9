import Link from 'next/link';
import type { Neighbor } from '@/lib/journal/entries/gallery';
import { EntryDate } from './entry-date';
import { entryHref } from './entry-href';

function NeighborLink({ name, entry }: { name: string; entry: Neighbor }) {
  const isNext = name === 'Next entry';
  return (
    <Link
      href={entryHref(entry)}
      prefetch={false}
      className={`group flex min-w-0 items-center gap-4 py-3 ${isNext ? 'sm:col-start-2 sm:flex-row-reverse sm:text-right' : ''}`}
    >
      {entry.thumbnail && (
        <img
          src={entry.thumbnail}
          alt=""
          loading="lazy"
          className="hidden aspect-video w-36 shrink-0 rounded-8 bg-sunken object-cover sm:block"
        />
      )}
      <span className="min-w-0">
        <span className="block text-13 text-ink-3">{name}</span>
        <span
          dir="auto"
          className="line-clamp-2 font-serif text-17 font-semibold group-hover:underline [overflow-wrap:anywhere]"
        >
          {entry.title}
        </span>
        <EntryDate date={entry.date} className="block text-14 text-ink-3" />
      </span>
    </Link>
  );
}

/** Links to the entries before and after one, in the journal's order. */
export function EntryNeighbors({ previous, next }: { previous: Neighbor | null; next: Neighbor | null }) {
  if (!previous && !next) return null;
  return (
    <nav
      aria-label="Previous and next entry"
      className="grid gap-x-8 border-t border-line pt-3 max-sm:divide-y max-sm:divide-line sm:grid-cols-2"
    >
      {previous && <NeighborLink name="Previous entry" entry={previous} />}
      {next && <NeighborLink name="Next entry" entry={next} />}
    </nav>
  );
}
