import type { Metadata } from 'next';
import { EmptyJournal } from '@/components/home/onboarding/first-steps';
import { GalleryFilters } from '@/components/journal/entries/gallery-filters';
import {
  type GalleryQuery,
  galleryHref,
  isFiltered,
  readGalleryQuery,
} from '@/components/journal/entries/gallery-href';
import { isUnfinished } from '@/components/journal/entries/is-unfinished';
import { ProgressPoller } from '@/components/journal/entries/progress-poller';
import { Timeline } from '@/components/journal/timeline/timeline';
import { listNames } from '@/components/journal/timeline/timeline-text';
import { currentTimeZone } from '@/lib/account/preferences/current';
import { requireUser } from '@/lib/account/sessions/guards';
import { AppError } from '@/lib/foundation/contract/errors';
import { todayIn } from '@/lib/journal/entries/dashboard';
import { countMatches, journalFilters } from '@/lib/journal/entries/gallery';
import { selectMonthCounts } from '@/lib/journal/entries/months';
import { fromIso, toIso } from '@/lib/journal/entries/shared/calendar';
import type { Tag } from '@/lib/journal/tags/contract';
import { getTimeline, getTimelineDays } from '@/lib/journal/timeline/service';
import { JournalFrame, NoMatches } from '../journal-frame';

export const metadata: Metadata = { title: 'My Journal Entries' };

/** How many entries the page comes with. */
const FIRST_ROWS = 20;

/** Returns the part of the timeline that an address asks for; the newest, if there's no such place. */
async function readPart(userId: string, { tag, month, notes, at, before, after }: GalleryQuery) {
  const filter = { tag, month, notes, limit: FIRST_ROWS };
  const day = at && fromIso(at) ? at : undefined;
  try {
    return await getTimeline(userId, { ...filter, before, after, at: day });
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation_failed') return getTimeline(userId, filter);
    throw error;
  }
}

/**
 * The journal as one long list, with the year of its newest entry.
 * @param months those that have entries, newest first (`YYYY-MM`)
 */
async function JournalTimeline({
  userId,
  query,
  tags,
  months,
}: {
  userId: string;
  query: GalleryQuery;
  tags: readonly Tag[];
  months: readonly string[];
}) {
  const { tag = [], month, notes } = query;
  const part = await readPart(userId, query);
  const today = toIso(todayIn(await currentTimeZone()));
  const year = part.rows[0]?.entry.date.year ?? Number(today.slice(0, 4));
  const named = tags.filter(({ id }) => tag.includes(id)).map(({ name }) => name);
  const unfinished = part.rows.filter(({ entry }) => isUnfinished(entry));
  return (
    <>
      <Timeline
        // Another address is another list.
        key={galleryHref(query)}
        initial={part}
        initialYear={{ year, days: await getTimelineDays(userId, year, { tag, month, notes }) }}
        query={query}
        filter={listNames(notes ? [...named, 'notes'] : named)}
        years={[...new Set(months.map((one) => Number(one.slice(0, 4))))]}
        today={today}
      />
      {unfinished.length > 0 && <ProgressPoller state={unfinished.map(({ entry }) => entry.id).join()} />}
    </>
  );
}

/**
 * The journal as a timeline, at `/journals?view=timeline`. It's a page of its own, so that the others don't load its
 * scripts and styles.
 */
export default async function TimelinePage({ searchParams }: PageProps<'/journals/timeline'>) {
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
