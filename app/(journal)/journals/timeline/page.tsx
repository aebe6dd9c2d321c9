import type { Metadata } from 'next';
import { EmptyJournal } from '@/components/home/onboarding/first-steps';
import { GalleryFilters } from '@/components/journal/entries/gallery-filters';
import { isFiltered, readGalleryQuery } from '@/components/journal/entries/gallery-href';
import { requireUser } from '@/lib/account/sessions/guards';
import { countMatches, journalFilters } from '@/lib/journal/entries/gallery';
import { selectMonthCounts } from '@/lib/journal/entries/months';
import { JournalFrame, NoMatches } from '../journal-frame';
import { JournalTimeline } from './journal-timeline';

export const metadata: Metadata = { title: 'My Journal Entries' };

/**
 * The journal as a timeline, at `/journals?view=timeline`. It's a page of its own, so that the others don't load its
 * scripts and styles.
 */
export default async function TimelinePage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const user = await requireUser();
  const query = readGalleryQuery(await searchParams);
  const counts = selectMonthCounts(user.id);
  const [{ tags, months, total }, shown] = await Promise.all([
    journalFilters(user.id, counts),
    countMatches(user.id, query, counts),
  ]);
  return (
    <JournalFrame query={query}>
      {months.length === 0 ? (
        <EmptyJournal userId={user.id} />
      ) : (
        <div className="flex flex-col gap-7">
          <GalleryFilters query={query} tags={tags} months={months} shown={shown} total={total} />
          {shown === 0 && isFiltered(query) ? (
            <NoMatches query={query} />
          ) : (
            <JournalTimeline userId={user.id} query={query} tags={tags} months={months} />
          )}
        </div>
      )}
    </JournalFrame>
  );
}
