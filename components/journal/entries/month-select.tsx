'use client';

import { useRouter } from 'next/navigation';
import { Button } from '@/components/ui/button';
import { type GalleryQuery, galleryHref, galleryParams } from './gallery-href';
import { groupBy } from './group-by';
import { formatMonth } from './months';

/**
 * Goes to another month at once. Without scripts, it's a form with a button.
 * @param query what the other months share with this one
 * @param months `YYYY-MM`, newest first
 * @param hasAll whether to offer whole years, and all of the journal
 */
export function MonthSelect({
  query,
  month = '',
  months,
  onChoose,
  hasAll = false,
}: {
  query: GalleryQuery;
  month?: string | undefined;
  months: readonly string[];
  /** Goes to what was chosen, if that's more than going to its address. */
  onChoose?: (query: GalleryQuery) => void;
  hasAll?: boolean;
}) {
  const router = useRouter();
  const go = onChoose ?? ((chosen: GalleryQuery) => router.push(galleryHref(chosen), { scroll: false }));
  return (
    <form action="/journals" className="flex shrink-0 items-center gap-2">
      {galleryParams(query).map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <span className="select-arrow">
        <select
          // The page may have changed it by a link.
          key={month}
          name="month"
          aria-label="Month"
          defaultValue={month}
          onChange={(event) => go({ ...query, month: event.target.value || undefined })}
          className="field-sizing-content min-h-11 appearance-none rounded-pill border border-line bg-surface pr-10 pl-4 text-15 font-medium hover:border-line-strong"
        >
          {hasAll && <option value="">All time</option>}
          {[...groupBy(months, (one) => one.slice(0, 4))].map(([year, ofYear]) => (
            <optgroup key={year} label={year}>
              {hasAll && <option value={year}>{year}</option>}
              {ofYear.map((one) => (
                <option key={one} value={one}>
                  {formatMonth(one)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </span>
      <noscript>
        <Button type="submit" variant="secondary">
          Show
        </Button>
      </noscript>
    </form>
  );
}
