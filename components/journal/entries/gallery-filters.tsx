'use client';

import { Check } from 'lucide';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useOptimistic, useTransition } from 'react';
import { SelectButton } from '@/components/journal/selection/selection';
import { Icon } from '@/components/ui/icon';
import { ColorDot } from '@/components/ui/tag-dot';
import type { Tag } from '@/lib/journal/tags/contract';
import { countEntries } from './count-entries';
import { type GalleryQuery, galleryHref, isFiltered, toggleTag, withoutPlace } from './gallery-href';
import { MonthSelect } from './month-select';

/** Tags beyond these, by name, are behind "More tags". */
const MAX_CHIPS = 12;

const TEXT_LINK =
  'inline-flex min-h-11 items-center rounded-pill px-4 text-15 font-semibold hover:bg-sunken whitespace-nowrap';

function Chip({
  query,
  onChoose,
  isOn,
  color,
  children,
}: {
  /** What pressing it leads to. */
  query: GalleryQuery;
  onChoose: (query: GalleryQuery) => void;
  isOn: boolean;
  color?: string;
  children: string;
}) {
  return (
    <li className="shrink-0">
      <Link
        href={galleryHref(query)}
        scroll={false}
        prefetch={false}
        onNavigate={(event) => {
          event.preventDefault();
          onChoose(query);
        }}
        aria-current={isOn || undefined}
        className="inline-flex min-h-11 max-w-60 items-center gap-2 rounded-pill border border-line bg-surface px-4 text-15 font-medium hover:border-line-strong aria-[current]:border-transparent aria-[current]:bg-accent-soft aria-[current]:font-semibold aria-[current]:text-accent-ink"
      >
        {isOn && <Icon of={Check} className="size-4 shrink-0" aria-hidden="true" />}
        {color && <ColorDot color={color} />}
        <span dir="auto" className="truncate">
          {children}
        </span>
      </Link>
    </li>
  );
}

/**
 * Narrows the journal down by tags, notes, and time. Each is a link or a form, so it works without scripts.
 * @param shown how many entries the filters leave
 * @param total how many entries the journal has
 */
export function GalleryFilters({
  query,
  tags,
  months,
  shown,
  total,
}: {
  query: GalleryQuery;
  tags: readonly Tag[];
  months: readonly string[];
  shown: number;
  total: number;
}) {
  const router = useRouter();
  const { view } = query;
  const [isPending, startTransition] = useTransition();
  // They change with the press, so that the next one adds to it before the page is there. A place in the timeline, or a
  // page, belongs to the filters that it was found with.
  const [filters, setFilters] = useOptimistic(withoutPlace(query));
  const { tag = [], notes, month } = filters;
  const choose = (chosen: GalleryQuery) =>
    startTransition(() => {
      setFilters(chosen);
      router.push(galleryHref(chosen), { scroll: false });
    });
  const isFirst = (one: Tag, index: number) => index < MAX_CHIPS || tag.includes(one.id);
  const chip = ({ id, name, color }: Tag) => (
    <Chip key={id} query={toggleTag(filters, id)} onChoose={choose} isOn={tag.includes(id)} color={color}>
      {name}
    </Chip>
  );
  const more = tags.filter((one, index) => !isFirst(one, index));
  return (
    <div className="flex flex-col gap-3 border-b border-line pb-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="scroll-row -mx-1 flex min-w-0 items-center gap-2 px-1 max-sm:w-[calc(100%+8px)] sm:flex-wrap">
          <nav aria-label="Filters" className="contents">
            <ul className="flex shrink-0 items-center gap-2 sm:contents">
              {tags.filter(isFirst).map(chip)}
              <Chip query={{ ...filters, notes: !notes }} onChoose={choose} isOn={notes === true}>
                With notes
              </Chip>
            </ul>
          </nav>
          <MonthSelect query={{ tag, notes, view }} month={month} months={months} onChoose={choose} hasAll />
        </div>
        <div className="flex min-h-11 flex-wrap items-center gap-x-1">
          <p role="status" aria-busy={isPending} className="py-2 pr-3 text-14 text-ink-2 tabular-nums">
            {shown === total
              ? countEntries(total)
              : `${shown.toLocaleString('en-US')} of ${countEntries(total)}`}
          </p>
          {isFiltered(filters) && (
            <Link
              href={galleryHref({ view })}
              scroll={false}
              prefetch={false}
              onNavigate={(event) => {
                event.preventDefault();
                choose({ view });
              }}
              className={TEXT_LINK}
            >
              Clear filters
            </Link>
          )}
          {!view && <SelectButton />}
          <Link href="/surprise" prefetch={false} className={TEXT_LINK}>
            Surprise me
          </Link>
        </div>
      </div>
      {more.length > 0 && (
        <details className="group">
          <summary className="inline-flex min-h-11 list-none items-center rounded-pill px-4 text-15 font-semibold hover:bg-sunken">
            <span className="group-open:hidden">{`More tags (${more.length})`}</span>
            <span className="hidden group-open:inline">Fewer tags</span>
          </summary>
          <ul className="flex flex-wrap gap-2 pt-2">{more.map(chip)}</ul>
        </details>
      )}
    </div>
  );
}
