import Link from 'next/link';
import { entryHref } from '@/components/entries/entry-href';
import { formatDuration } from '@/components/entries/format-duration';
import { NoThumbnail } from '@/components/entries/no-thumbnail';
import { formatUsDate, toIso } from '@/lib/entries/calendar';
import type { SearchResult } from '@/lib/search/contract';

type Match = SearchResult['matches'][number];

/** A snippet with the matching words highlighted. */
function HighlightedSnippet({ text, marks }: Match) {
  let at = 0;
  const pieces = marks.map(([from, to]) => {
    const before = text.slice(at, from);
    at = to;
    return (
      <span key={from}>
        {before}
        <mark className="rounded-[3px] bg-mark text-ink">{text.slice(from, to)}</mark>
      </span>
    );
  });
  return (
    <>
      … {pieces}
      {text.slice(at)} …
    </>
  );
}

function Result({ result }: { result: SearchResult }) {
  const { title, thumbnail, date, matches } = result;
  const href = entryHref(result);
  return (
    <article className="flex flex-col gap-4 rounded-18 border border-line bg-surface p-4 sm:flex-row">
      <Link
        href={href}
        tabIndex={-1}
        aria-hidden="true"
        className="aspect-video shrink-0 overflow-hidden rounded-12 bg-sunken ring-1 ring-line sm:w-48 sm:self-start"
      >
        {thumbnail ? (
          // biome-ignore lint/performance/noImgElement: private images behind the session, which an optimizer would cache for others
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
      </Link>
      <div className="flex min-w-0 flex-col gap-1.5">
        <h2 className="text-17 font-semibold">
          <Link href={href} className="hover:underline">
            {title}
          </Link>
        </h2>
        <time dateTime={toIso(date)} className="text-14 text-ink-3">
          {formatUsDate(date)}
        </time>
        {matches.length > 0 && (
          <ul className="mt-1 flex flex-col gap-2">
            {matches.map((match) => (
              <li key={match.start_time} className="flex items-start gap-3">
                <Link
                  href={`${href}?t=${match.start_time}`}
                  aria-label={`Play from ${formatDuration(match.start_time)}`}
                  className="-my-2.5 inline-flex min-h-11 shrink-0 items-center rounded-8 px-1 text-14 font-semibold text-accent-ink tabular-nums hover:underline"
                >
                  {formatDuration(match.start_time)}
                </Link>
                <p className="min-w-0 font-serif text-15 text-ink-2">
                  <HighlightedSnippet {...match} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </article>
  );
}

/** Lists the results, each with up to two snippets that link to their moment. */
export function SearchResults({ results }: { results: SearchResult[] }) {
  return (
    <div className="flex flex-col gap-4">
      {results.map((result) => (
        <Result key={result.id} result={result} />
      ))}
    </div>
  );
}
