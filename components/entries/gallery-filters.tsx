'use client';

import Link from 'next/link';
import { SelectButton } from '@/components/selection/select-button';
import { Button } from '@/components/ui/button';
import { SelectField } from '@/components/ui/select-field';
import type { Tag } from '@/lib/tags/contract';
import { type GalleryQuery, galleryHref } from './gallery-href';
import { formatMonth } from './months';

const VIEW =
  'inline-flex min-h-11 items-center rounded-pill px-4 text-15 font-semibold hover:bg-sunken aria-[current]:bg-accent-soft aria-[current]:text-accent-ink';

/** Filters the gallery by tag or month with a form that works without JavaScript, and switches to the calendar. */
export function GalleryFilters({
  query,
  tags,
  months,
}: {
  query: GalleryQuery;
  tags: Tag[];
  months: string[];
}) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-4">
      <form action="/journals" className="flex w-full flex-wrap items-end gap-3 sm:w-auto">
        {query.view && <input type="hidden" name="view" value={query.view} />}
        <SelectField
          label="Month"
          name="month"
          defaultValue={query.month ?? ''}
          className="w-44 grow sm:grow-0"
        >
          {!query.view && <option value="">All months</option>}
          {months.map((month) => (
            <option key={month} value={month}>
              {formatMonth(month)}
            </option>
          ))}
        </SelectField>
        {!query.view && tags.length > 0 && (
          <SelectField label="Tag" name="tag" defaultValue={query.tag ?? ''} className="w-44 grow sm:grow-0">
            <option value="">All tags</option>
            {tags.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <Button type="submit" variant="secondary">
          Show
        </Button>
      </form>
      <div className="flex flex-wrap gap-1">
        {!query.view && <SelectButton />}
        <nav aria-label="View" className="flex gap-1">
          <Link
            href={galleryHref({ ...query, view: undefined })}
            aria-current={query.view ? undefined : 'page'}
            className={VIEW}
          >
            Cards
          </Link>
          <Link
            href={galleryHref({ month: query.month, view: 'calendar' })}
            aria-current={query.view ? 'page' : undefined}
            className={VIEW}
          >
            Calendar
          </Link>
          <Link href="/surprise" prefetch={false} className={VIEW}>
            Surprise me
          </Link>
        </nav>
      </div>
    </div>
  );
}
