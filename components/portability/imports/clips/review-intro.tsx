import { countEntries } from '@/components/journal/entries/count-entries';
import { EntryList } from '@/components/portability/imports/import-summary';
import { countClips } from '@/components/portability/imports/review/describe-row';
import type { ReviewRow } from '@/components/portability/imports/review/review-row';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import type { ClipReview } from './clip-review';

/** Returns the years that dates are from: `from 2014 to 2024`. @param rows dates are `MM/DD/YYYY` */
function describeYears(rows: readonly ReviewRow[]): string {
  const years = rows.flatMap(({ date }) => (date ? [date.slice(-4)] : [])).sort();
  const [first, last] = [years[0], years.at(-1)];
  if (!first || !last) return '';
  return first === last ? ` from ${first}` : ` from ${first} to ${last}`;
}

/** Says what was chosen, and what of it isn't in the table. */
export function ReviewIntro({
  name,
  review,
  rows,
}: {
  name: string;
  review: ClipReview;
  rows: readonly ReviewRow[];
}) {
  const { clips, refused, withoutVideo } = review;
  const unnamed = clips.filter(({ isTitleTelling }) => !isTitleTelling).length;
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  return (
    <div className="flex flex-col gap-1 text-15">
      <p className="font-semibold tabular-nums">
        {countClips(rows.length)}
        {describeYears(rows)}, {formatBytes(bytes)}
      </p>
      <p className="text-14 break-all text-ink-2">{name}</p>
      {unnamed > 0 && (
        <p className="text-14 text-ink-2">
          {countClips(unnamed)} without a name {unnamed === 1 ? 'gets its' : 'get their'} first words as a
          title, unless you enter one.
        </p>
      )}
      {withoutVideo > 0 && (
        <p className="text-14 text-ink-2">
          {countEntries(withoutVideo)} without a video can’t be imported. Daylight is a video journal.
        </p>
      )}
      {refused.length > 0 && (
        <EntryList
          label={`${refused.length.toLocaleString('en-US')} can’t be read`}
          entries={refused.map(({ path, reason }) => ({ id: path, title: path, date: '', reason }))}
        />
      )}
    </div>
  );
}
