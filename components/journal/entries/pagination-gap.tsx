import Link from 'next/link';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { positionPopover } from '@/components/ui/menu';
import { type GalleryQuery, galleryHref } from './gallery-href';

/** Lists the pages that the row of numbers skips. Rendered when opened, since there may be thousands. */
export function PaginationGap({ from, to, query }: { from: number; to: number; query: GalleryQuery }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  // The menu has no height until its numbers are rendered.
  useLayoutEffect(() => {
    if (open && menu.current && button.current) positionPopover(menu.current, button.current);
  }, [open]);
  const label = `Pages ${from} to ${to}`;

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-expanded={open}
        aria-controls={id}
        aria-label={label}
        className="grid size-11 place-items-center rounded-pill text-ink-2 hover:bg-sunken"
      >
        …
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        onToggle={(event) => setOpen(event.newState === 'open')}
        className="fixed inset-auto m-0 max-h-80 w-80 max-w-[calc(100vw-24px)] overflow-y-auto rounded-12 border border-line bg-surface p-2 text-ink shadow-lg"
      >
        <ul aria-label={label} className="grid grid-cols-[repeat(auto-fill,minmax(52px,1fr))] gap-1">
          {open &&
            Array.from({ length: to - from + 1 }, (_, index) => from + index).map((page) => (
              <li key={page}>
                <Link
                  href={galleryHref(query, page)}
                  prefetch={false}
                  onClick={() => menu.current?.hidePopover()}
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
