import Link from 'next/link';
import { POPOVER, usePopover } from '@/components/ui/popover';
import { type GalleryQuery, galleryHref } from './gallery-href';

/** Lists the pages that the row of numbers skips. Rendered when opened, since there may be thousands. */
export function PaginationGap({ from, to, query }: { from: number; to: number; query: GalleryQuery }) {
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
