import type { Metadata } from 'next';
import Link from 'next/link';
import { EmptyJournal } from '@/components/home/onboarding/first-steps';
import { GalleryFilters } from '@/components/journal/entries/gallery-filters';
import {
  type GalleryQuery,
  galleryHref,
  isFiltered,
  readGalleryQuery,
} from '@/components/journal/entries/gallery-href';
import { isUnfinished } from '@/components/journal/entries/is-unfinished';
import { MonthCalendar } from '@/components/journal/entries/month-calendar';
import { MonthSelect } from '@/components/journal/entries/month-select';
import { Pagination } from '@/components/journal/entries/pagination';
import { ProgressPoller } from '@/components/journal/entries/progress-poller';
import { SelectableCards } from '@/components/journal/selection/selectable-cards';
import { currentPreferences, currentTimeZone } from '@/lib/account/preferences/current';
import { firstWeekdayNumber } from '@/lib/account/preferences/service';
import { requireUser } from '@/lib/account/sessions/guards';
import { todayIn } from '@/lib/journal/entries/dashboard';
import { journalFilters, journalMonth, journalPage } from '@/lib/journal/entries/gallery';
import { selectMonthCounts } from '@/lib/journal/entries/months';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { JournalFrame, NoMatches } from './journal-frame';

export const metadata: Metadata = { title: 'My Journal Entries' };

type Page = Awaited<ReturnType<typeof journalPage>>;

function EntryList({ query, entries, page, pages }: Page & { query: GalleryQuery }) {
  const unfinished = entries.filter(isUnfinished);
  return (
    <div className="flex flex-col gap-10">
      <h2 className="sr-only">{pages > 1 ? `Page ${page} of ${pages}` : 'Entries'}</h2>
      <SelectableCards entries={entries} query={query} />
      <Pagination page={page} pages={pages} query={query} />
      {unfinished.length > 0 && <ProgressPoller state={unfinished.map((entry) => entry.id).join()} />}
    </div>
  );
}

async function Calendar({ userId, month, months }: { userId: string; month: string; months: string[] }) {
  const today = toIso(todayIn(await currentTimeZone()));
  const firstWeekday = firstWeekdayNumber(await currentPreferences());
  const shown = months.includes(month) ? months : [...months, month].sort().reverse();
  return (
    <MonthCalendar
      month={month}
      entries={await journalMonth(userId, month)}
      today={today}
      firstWeekday={firstWeekday}
    >
      <MonthSelect query={{ view: 'calendar' }} month={month} months={shown} />
      <Link
        href={galleryHref({ view: 'calendar', month: today.slice(0, 7) })}
        className="inline-flex min-h-11 items-center rounded-pill px-4 text-15 font-semibold hover:bg-sunken"
      >
        Today
      </Link>
      <Link
        href="/surprise"
        prefetch={false}
        className="inline-flex min-h-11 items-center rounded-pill px-4 text-15 font-semibold hover:bg-sunken"
      >
        Surprise me
      </Link>
    </MonthCalendar>
  );
}

async function Gallery({
  userId,
  query,
  pageNumber,
}: {
  userId: string;
  query: GalleryQuery;
  pageNumber: number;
}) {
  const counts = selectMonthCounts(userId);
  const { view, month } = query;
  const [{ tags, months, total }, cards] = await Promise.all([
    journalFilters(userId, counts),
    view ? null : journalPage(userId, pageNumber, query, counts),
  ]);
  if (months.length === 0) return <EmptyJournal userId={userId} />;
  if (!cards) {
    const inMonth = month && month.length > 4 ? month : months.find((one) => one.startsWith(month ?? ''));
    return <Calendar userId={userId} month={inMonth ?? months[0] ?? ''} months={months} />;
  }
  const isEmpty = cards.total === 0 && isFiltered(query);
  return (
    <div className="flex flex-col gap-7">
      <GalleryFilters query={query} tags={tags} months={months} shown={cards.total} total={total} />
      {isEmpty ? <NoMatches query={query} /> : <EntryList {...cards} query={query} />}
    </div>
  );
}

/**
 * The journal, newest first: as cards in pages, or as a calendar. The address has the view, the filters, and the page. The
 * timeline has the same address and a page of its own, to which `next.config.ts` leads.
 */
export default async function JournalsPage({ searchParams }: PageProps<'/journals'>) {
  const user = await requireUser();
  const params = await searchParams;
  const query = readGalleryQuery(params);
  const pageNumber =
    typeof params.page === 'string' && /^[1-9]\d{0,5}$/.test(params.page) ? Number(params.page) : 1;
  return (
    <JournalFrame query={query}>
      {/* Not in Suspense, which shows nothing without scripts. */}
      <Gallery userId={user.id} query={query} pageNumber={pageNumber} />
    </JournalFrame>
  );
}
