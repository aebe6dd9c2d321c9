import { CalendarDays, LayoutGrid, Rows3 } from 'lucide';
import Link from 'next/link';
import { Icon } from '@/components/ui/icon';
import { type GalleryQuery, galleryHref } from './gallery-href';

/** Switches between the ways of showing the journal. They're links, so each has an address. */
export function JournalViews({ query }: { query: GalleryQuery }) {
  const { tag, notes, month, view } = query;
  const isMonth = month !== undefined && month.length > 4;
  const views = [
    { label: 'Cards', icon: LayoutGrid, to: { tag, notes, month, view: undefined } },
    {
      label: 'Calendar',
      icon: CalendarDays,
      to: { month: isMonth ? month : undefined, view: 'calendar' as const },
    },
    // A month of the calendar isn't a filter.
    {
      label: 'Timeline',
      icon: Rows3,
      to: { tag, notes, month: view === 'calendar' ? undefined : month, view: 'timeline' as const },
    },
  ];
  return (
    <nav aria-label="View" className="flex gap-0.5 rounded-pill bg-sunken p-1">
      {views.map(({ label, icon, to }) => (
        <Link
          key={label}
          href={galleryHref(to)}
          // Its styles would be loaded too, and the browser warns of what isn't used.
          prefetch={false}
          aria-current={to.view === view ? 'page' : undefined}
          className="inline-flex min-h-11 grow items-center justify-center gap-2 rounded-pill px-4 text-15 font-medium text-ink-2 hover:text-ink aria-[current]:bg-surface aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:shadow-sm max-sm:px-2.5"
        >
          <Icon of={icon} className="size-4.5 shrink-0 max-[359px]:hidden" aria-hidden="true" />
          {label}
        </Link>
      ))}
    </nav>
  );
}
