'use client';

import { ArrowLeft, ArrowRight } from 'lucide';
import Link from 'next/link';
import { Icon } from '@/components/ui/icon';
import { POPOVER, usePopover } from '@/components/ui/popover';
import { type GalleryQuery, galleryHref } from './gallery-href';

/** Lists with up to this many pages show every number. */
const MAX_UNABRIDGED = 15;

/**
 * Returns the page numbers to link to: all of them, or in a long list the ends, the current page's neighbors and a
 * few in between. A gap replaces two or more skipped numbers.
 */
export function pageNumbers(page: number, pages: number): (number | 'gap')[] {
  if (pages <= MAX_UNABRIDGED) return Array.from({ length: pages }, (_, index) => index + 1);
  const far = [0.25, 0.5, 0.75].map((share) => Math.round(1 + share * (pages - 1)));
  const near = [-2, -1, 0, 1, 2].map((step) => page + step);
  const shown = [...new Set([1, 2, ...far, ...near, pages - 1, pages])]
    .filter((number) => number >= 1 && number <= pages)
    .sort((a, b) => a - b);
  return shown.flatMap((number, index) => {
    const left = index > 0 ? number - (shown[index - 1] ?? 0) - 1 : 0;
    if (left === 0) return [number];
    return [left === 1 ? number - 1 : ('gap' as const), number];
  });
}

/** Lists the pages that the row of numbers skips. Rendered when opened, since there may be thousands. */
function PaginationGap({ from, to, query }: { from: number; to: number; query: GalleryQuery }) {
  const popover = usePopover();
  const label = `Pages ${from} to ${to}`;

  return (
    <>
      <button
        {...popover.button}
        aria-label={label}
        className="grid size-11 place-items-center rounded-pill text-ink-2 hover:bg-sunken"
      >
        …
      </button>
      <div {...popover.panel} className={`${POPOVER} max-h-80 w-80 overflow-y-auto p-2`}>
        <ul aria-label={label} className="grid grid-cols-[repeat(auto-fill,minmax(52px,1fr))] gap-1">
          {popover.isOpen &&
            Array.from({ length: to - from + 1 }, (_, index) => from + index).map((page) => (
              <li key={page}>
                <Link
                  href={galleryHref(query, page)}
                  prefetch={false}
                  onClick={popover.close}
                  className="grid h-11 place-items-center rounded-8 text-15 font-semibold tabular-nums hover:bg-sunken"
                >
                  {page}
                </Link>
              </li>
            ))}
        </ul>
      </div>
    </>
  );
}

const STEP =
  'inline-flex h-11 min-w-11 items-center justify-center gap-2 rounded-pill px-3 text-15 font-semibold hover:bg-sunken';

/** Links to the gallery's pages, some behind an ellipsis when there are many. Renders nothing for a single page. */
export function Pagination({ page, pages, query }: { page: number; pages: number; query: GalleryQuery }) {
  if (pages < 2) return null;
  return (
    <nav aria-label="Pages">
      <ul className="flex flex-wrap items-center justify-center gap-2">
        {page > 1 && (
          <li>
            <Link href={galleryHref(query, page - 1)} rel="prev" prefetch={false} className={STEP}>
              <Icon of={ArrowLeft} className="size-4.5" aria-hidden="true" />
              <span className="max-sm:sr-only">Previous</span>
            </Link>
          </li>
        )}
        {pageNumbers(page, pages).map((number, index, all) =>
          number === 'gap' ? (
            <li key={`before ${all[index + 1]}`}>
              <PaginationGap
                from={Number(all[index - 1]) + 1}
                to={Number(all[index + 1]) - 1}
                query={query}
              />
            </li>
          ) : (
            <li key={number}>
              <Link
                href={galleryHref(query, number)}
                prefetch={false}
                aria-current={number === page ? 'page' : undefined}
                className="grid h-11 min-w-11 place-items-center rounded-pill px-2 text-15 font-semibold tabular-nums hover:bg-sunken aria-[current]:bg-accent aria-[current]:text-on-accent"
              >
                {number}
              </Link>
            </li>
          ),
        )}
        {page < pages && (
          <li>
            <Link href={galleryHref(query, page + 1)} rel="next" prefetch={false} className={STEP}>
              <span className="max-sm:sr-only">Next</span>
              <Icon of={ArrowRight} className="size-4.5" aria-hidden="true" />
            </Link>
          </li>
        )}
      </ul>
    </nav>
  );
}
