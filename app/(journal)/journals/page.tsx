import type { Metadata } from 'next';
import { Suspense } from 'react';
import { EntryCardSkeletons } from '@/components/entries/entry-card';
import { GalleryFilters } from '@/components/entries/gallery-filters';
import type { GalleryQuery } from '@/components/entries/gallery-href';
import { MonthCalendar } from '@/components/entries/month-calendar';
import { Pagination } from '@/components/entries/pagination';
import { ProgressPoller } from '@/components/entries/progress-poller';
import { EmptyJournal } from '@/components/onboarding/first-steps';
import { SelectableCards } from '@/components/selection/selectable-cards';
import { ButtonLink } from '@/components/ui/button';
import { Loading } from '@/components/ui/loading';
import { PageHeading } from '@/components/ui/page-heading';
import { journalFilters, journalMonth, journalPage } from '@/lib/entries/gallery';
import { selectMonthCounts } from '@/lib/entries/months';
import { requireUser } from '@/lib/sessions/guards';

export const metadata: Metadata = { title: 'My Journal Entries' };

function NoMatches() {
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-16 text-ink-2">No entries match these filters.</p>
      <ButtonLink href="/journals" variant="secondary">
        Show all entries
      </ButtonLink>
    </div>
  );
}

type Page = Awaited<ReturnType<typeof journalPage>>;

function EntryList({ userId, query, entries, page, pages }: Page & { userId: string; query: GalleryQuery }) {
  if (entries.length === 0)
    return query.tag || query.month ? <NoMatches /> : <EmptyJournal userId={userId} />;
  const processing = entries.filter((entry) => entry.status === 'processing');
  return (
    <div className="flex flex-col gap-10">
      <h2 className="sr-only">{pages > 1 ? `Page ${page} of ${pages}` : 'Entries'}</h2>
      <SelectableCards entries={entries} query={query} />
      <Pagination page={page} pages={pages} query={query} />
      {processing.length > 0 && <ProgressPoller state={processing.map((entry) => entry.id).join()} />}
    </div>
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
  const [{ tags, months }, cards] = await Promise.all([
    journalFilters(userId, counts),
    query.view ? null : journalPage(userId, pageNumber, query, counts),
  ]);
  if (months.length === 0) return <EmptyJournal userId={userId} />;
  const month = query.month ?? months[0] ?? '';
  return (
    <div className="flex flex-col gap-7">
      <GalleryFilters query={query.view ? { ...query, month } : query} tags={tags} months={months} />
      {cards ? (
        <EntryList {...cards} userId={userId} query={query} />
      ) : (
        <MonthCalendar month={month} entries={await journalMonth(userId, month)} />
      )}
    </div>
  );
}

type SearchParam = string | string[] | undefined;

const matchParam = (value: SearchParam, pattern: RegExp): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

/** The gallery of all entries, newest first. The address has the page, tag, month, and view. */
export default async function JournalsPage({
  searchParams,
}: {
  searchParams: Promise<Record<'page' | 'tag' | 'month' | 'view', SearchParam>>;
}) {
  const user = await requireUser();
  const { page, tag, month, view } = await searchParams;
  const query: GalleryQuery = {
    tag: matchParam(tag, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    month: matchParam(month, /^(19|20|21)\d\d-(0[1-9]|1[0-2])$/),
    view: view === 'calendar' ? view : undefined,
  };
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col gap-7 py-8 sm:py-11">
      <PageHeading>My Journal Entries</PageHeading>
      <Suspense
        fallback={
          <Loading>
            <EntryCardSkeletons />
          </Loading>
        }
      >
        <Gallery
          userId={user.id}
          query={query}
          pageNumber={Number(matchParam(page, /^[1-9]\d{0,5}$/) ?? 1)}
        />
      </Suspense>
    </div>
  );
}
