'use client';

import { ArrowLeft, ArrowRight } from 'lucide';
import Link from 'next/link';
import { Icon } from '@/components/ui/icon';
import { type GalleryQuery, galleryHref } from './gallery-href';
import { pageNumbers } from './page-numbers';
import { PaginationGap } from './pagination-gap';

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
