import { useMemo } from 'react';
import { countEntries } from '@/components/journal/entries/count-entries';
import { PageHeading } from '@/components/ui/page-heading';
import { SelectField } from '@/components/ui/select-field';
import { CardList } from './card-list';
import { filterEntries, type Journal } from './journal';
import { goTo, journalPath } from './route';
import { YearSelect } from './year-select';

const countText = (count: number): string =>
  count === 0 ? 'No entries match these filters.' : countEntries(count);

/** Shows the entries as cards, newest first, and filters them by tag and year. */
export function JournalPage({
  journal,
  tag,
  year,
}: {
  journal: Journal;
  tag: string | null;
  year: number | null;
}) {
  const entries = useMemo(() => filterEntries(journal.entries, { tag, year }), [journal, tag, year]);
  return (
    <>
      <PageHeading>{journal.name ? `${journal.name}’s journal` : 'Your journal'}</PageHeading>
      <div className="flex flex-wrap items-end gap-3">
        <YearSelect
          years={journal.years}
          year={year}
          all="All years"
          path={(to) => journalPath({ tag, year: to })}
        />
        {journal.tags.length > 0 && (
          <SelectField
            label="Tag"
            value={tag ?? ''}
            onChange={({ target }) => goTo(journalPath({ tag: target.value, year }))}
            className="w-44 grow sm:grow-0"
          >
            <option value="">All tags</option>
            {journal.tags.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <p role="status" className="min-h-11 content-center text-15 text-ink-2">
          {journal.entries.length === 0 ? 'This archive has no entries.' : countText(entries.length)}
        </p>
      </div>
      <CardList entries={entries} />
    </>
  );
}
