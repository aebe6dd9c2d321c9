import { Play } from 'lucide';
import Link from 'next/link';
import { useEffect, useEffectEvent, useRef } from 'react';
import { countEntries } from '@/components/journal/entries/count-entries';
import { DurationBadge } from '@/components/journal/entries/duration-badge';
import { EntryDate } from '@/components/journal/entries/entry-date';
import { entryHref } from '@/components/journal/entries/entry-href';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { NoThumbnail } from '@/components/journal/entries/no-thumbnail';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { TagDot } from '@/components/ui/tag-dot';
import type { SearchResult, SearchSummary } from '@/lib/journal/search/contract';
import type { SearchFilters } from '@/lib/journal/search/service';
import { MarkedText } from './marked-text';
import { searchHref } from './search-filters';
import type { Found } from './use-search';

function Moment({
  href,
  match,
  language,
}: {
  href: string;
  match: SearchResult['matches'][number];
  language: string | null;
}) {
  const time = formatDuration(match.start_time);
  return (
    <li className="flex items-start gap-3 sm:gap-3.5">
      <Link
        href={`${href}?t=${match.start_time}`}
        aria-label={`Play from ${time}`}
        className="inline-flex min-h-11 min-w-[74px] shrink-0 items-center justify-center gap-2 rounded-pill bg-accent-soft px-2.5 text-14 font-semibold text-accent-ink tabular-nums hover:underline"
      >
        <Icon of={Play} className="size-2.5 shrink-0" fill="currentColor" aria-hidden="true" />
        {time}
      </Link>
      <p
        dir="auto"
        lang={language ?? undefined}
        className="min-w-0 py-2 font-serif text-[18px]/[1.55] text-ink"
      >
        <MarkedText {...match} />
      </p>
    </li>
  );
}

function Result({ result }: { result: SearchResult }) {
  const { title, thumbnail, date, duration, language, tags, matches, more } = result;
  const href = entryHref(result);
  return (
    <article className="grid grid-cols-[112px_minmax(0,1fr)] gap-x-4 gap-y-3 border-b border-line py-5 sm:first:pt-5 sm:grid-cols-[208px_minmax(0,1fr)] sm:grid-rows-[auto_1fr] sm:gap-x-7 sm:gap-y-2 sm:py-6">
      <Link
        href={href}
        tabIndex={-1}
        aria-hidden="true"
        className="relative aspect-video self-start overflow-hidden rounded-8 bg-sunken ring-1 ring-line sm:row-span-2 sm:rounded-12"
      >
        {thumbnail ? (
          <img
            src={thumbnail}
            alt={`Thumbnail for ${title}`}
            width={320}
            height={180}
            loading="lazy"
            decoding="async"
            className="size-full object-cover"
          />
        ) : (
          <NoThumbnail />
        )}
        {duration !== null && (
          <span className="absolute right-1.5 bottom-1.5">
            <DurationBadge seconds={duration} />
          </span>
        )}
      </Link>
      <div className="flex min-w-0 flex-col justify-center gap-x-3.5 gap-y-1 sm:flex-row sm:flex-wrap sm:items-baseline sm:justify-start">
        <h2 dir="auto" className="text-17 font-semibold">
          <Link href={href} className="hover:underline">
            {title}
          </Link>
        </h2>
        <EntryDate date={date} className="text-14 text-ink-3" />
        {tags.length > 0 && (
          <span className="hidden flex-wrap gap-x-3.5 gap-y-1 sm:flex">
            {tags.map(({ id, name, color }) => (
              <TagDot key={id} name={name} color={color} />
            ))}
          </span>
        )}
      </div>
      {matches.length > 0 && (
        <div className="col-span-2 flex min-w-0 flex-col gap-1.5 sm:col-span-1">
          <ul className="flex flex-col gap-1.5">
            {matches.map((match) => (
              <Moment key={match.start_time} href={href} match={match} language={language} />
            ))}
          </ul>
          {more && (
            <Link
              href={`${href}?t=${more.start_time}`}
              className="-mt-1 ml-[86px] inline-flex min-h-11 items-center self-start rounded-8 text-14 font-semibold text-accent-ink hover:underline sm:ml-[88px]"
            >
              {more.count === 1 ? '1 more moment' : `${more.count.toLocaleString('en-US')} more moments`}
              <span className="sr-only"> in {title}</span>
            </Link>
          )}
        </div>
      )}
    </article>
  );
}

/** Lists the results, each with up to two snippets that link to their moment. */
export function SearchResults({ results }: { results: SearchResult[] }) {
  return (
    <div className="flex flex-col">
      {results.map((result) => (
        <Result key={result.id} result={result} />
      ))}
    </div>
  );
}

/** Shown when nothing matches: what was searched for, and a similar word that somebody said. */
export function NoMatches({
  filters,
  suggestion,
  onChoose,
}: {
  filters: SearchFilters;
  suggestion: SearchSummary['suggestion'] | undefined;
  onChoose: (query: string) => void;
}) {
  const query = filters.query.trim();
  return (
    <div className="flex max-w-prose flex-col items-start gap-3 py-6">
      {query && (
        <p className="heading text-[32px] [overflow-wrap:anywhere]">
          “<bdi>{query}</bdi>”
        </p>
      )}
      <p className="text-17 text-ink-2">
        {query ? 'Nobody said that, in these words.' : 'No entry has all of these tags.'}
      </p>
      {suggestion && (
        <p className="text-17 text-ink-2">
          Did you mean{' '}
          <a
            href={searchHref({ ...filters, query: suggestion.query })}
            onClick={(event) => {
              event.preventDefault();
              onChoose(suggestion.query);
            }}
            className="rounded-8 font-semibold text-accent-ink underline underline-offset-4"
          >
            <bdi>{suggestion.query}</bdi>
          </a>
          ? It’s in {countEntries(suggestion.entries)}.
        </p>
      )}
      <p className="text-15 text-ink-3">
        Try fewer or different words, or remove a tag or date. Search covers titles, tags, notes, and
        everything you said.
      </p>
    </div>
  );
}

/** How far below the window the end of the list may be when more results are loaded, in pixels. */
const AHEAD = 600;

/** A button that shows more results. It's pressed by itself when the end of the list comes near. */
export function MoreResults({
  left,
  state: { busy, problem },
  onMore,
}: {
  /** How many results aren't shown yet, null if that isn't known. */
  left: number | null;
  state: { busy: boolean; problem: string | null };
  onMore: () => void;
}) {
  const end = useRef<HTMLDivElement>(null);
  const comeNear = useEffectEvent(() => {
    if (!busy && problem === null) onMore();
  });
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) comeNear();
      },
      { rootMargin: `0px 0px ${AHEAD}px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={end} className="flex flex-wrap items-center gap-4 py-7">
      {problem !== null && (
        <p role="alert" className="text-15 text-danger">
          {problem}
        </p>
      )}
      <Button variant="secondary" busy={busy} onClick={onMore}>
        {problem === null ? `Show ${Math.min(30, left ?? 30)} more` : 'Try again'}
      </Button>
    </div>
  );
}

/** Says how many entries are shown, of how many: "30 of 212 entries". */
export function ResultCount({ found, busy }: { found: Found | null; busy: boolean }) {
  return (
    <p role="status" aria-busy={busy} className="min-h-6 text-14 text-ink-2 tabular-nums">
      {found && <CountText found={found} />}
    </p>
  );
}

function CountText({ found: { results, next, summary } }: { found: Found }) {
  const shown = results.length;
  if (shown === 0) return <span>No entries found.</span>;
  if (!next) return <span>{countEntries(shown)}</span>;
  // Until they're counted, all that's known is that there are more.
  if (!summary) return <span>{`First ${countEntries(shown)}`}</span>;
  return (
    <>
      <span className="font-semibold text-ink">
        {`${shown.toLocaleString('en-US')} of ${summary.total.toLocaleString('en-US')}`}
      </span>
      <span> entries</span>
    </>
  );
}
