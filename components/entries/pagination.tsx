'use client';

import Link from 'next/link';
import { type GalleryQuery, galleryHref } from './gallery-href';
import { pageNumbers } from './page-numbers';
import { PaginationGap } from './pagination-gap';

/** Links to the gallery's pages, some behind an ellipsis when there are many. Renders nothing for a single page. */
export function Pagination({ page, pages, query }: { page: number; pages: number; query: GalleryQuery }) {
  if (pages < 2) return null;
  return (
    <nav aria-label="Pages">
      <ul className="flex flex-wrap justify-center gap-2">
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
      </ul>
    </nav>
  );
}
