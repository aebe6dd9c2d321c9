'use client';

import Link from 'next/link';
import { type GalleryWish, galleryHref } from './gallery-href';
import { pageNumbers } from './page-numbers';
import { PagesGap } from './pages-gap';

/** Links to the numbered pages of the gallery, in a long one some behind an ellipsis; nothing while there is only one. */
export function PagesNav({ page, pages, wish }: { page: number; pages: number; wish: GalleryWish }) {
  if (pages < 2) return null;
  return (
    <nav aria-label="Pages">
      <ul className="flex flex-wrap justify-center gap-2">
        {pageNumbers(page, pages).map((number, index, all) =>
          number === 'gap' ? (
            <li key={`before ${all[index + 1]}`}>
              <PagesGap from={Number(all[index - 1]) + 1} to={Number(all[index + 1]) - 1} wish={wish} />
            </li>
          ) : (
            <li key={number}>
              <Link
                href={galleryHref(wish, number)}
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
