import { cookies } from 'next/headers';
import { Suspense } from 'react';
import { EntryCardSkeletons, EntryCards } from '@/components/entries/entry-card';
import { EmptyJournal, ReminderAfterEntries } from '@/components/onboarding/first-steps';
import { ButtonLink } from '@/components/ui/button';
import { Loading, Skeleton } from '@/components/ui/loading';
import { MIN_LOADING_MS } from '@/components/ui/min-loading-time';
import { PageHeading } from '@/components/ui/page-heading';
import { dashboard, getYearActivity, todayIn, type YearActivity } from '@/lib/entries/dashboard';
import { log } from '@/lib/log';
import { onThisDay } from '@/lib/memories/service';
import { Memories } from './memories';
import { MinLoadingTime } from './min-loading-time';
import { TimeZoneSync } from './time-zone-sync';
import { YearHeatmap } from './year-heatmap';

function DashboardLoading() {
  return (
    <Loading>
      <Skeleton className="mb-6 h-7 w-44" />
      <EntryCardSkeletons count={6} />
    </Loading>
  );
}

/** Logs a failure and returns null, so that the page is shown without that part. */
const nullOnError = <T,>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    log.error({ err: error }, 'Error fetching dashboard details:');
    return null;
  });

function JournalStats({ total, year }: { total: number; year: YearActivity | null }) {
  const number = new Intl.NumberFormat('en-US');
  return (
    <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
      <p className="text-20 font-semibold tabular-nums">{`Total Entries: ${total}`}</p>
      {year && year.streak > 1 && <p className="text-16 text-ink-2">{`${year.streak} days in a row`}</p>}
      {year && year.words > 0 && (
        <p className="text-16 text-ink-2">{`${number.format(year.words)} words spoken`}</p>
      )}
    </div>
  );
}

async function DashboardContent({ userId, zone }: { userId: string; zone: string | undefined }) {
  const today = todayIn(zone);
  const [details, year, memories] = await Promise.all([
    nullOnError(dashboard(userId)),
    nullOnError(getYearActivity(userId, today)),
    nullOnError(onThisDay(userId, today)),
  ]);
  if (!details) return <DashboardLoading />;
  const { entries, stats } = details;
  return (
    <div className="flex flex-col gap-9">
      {entries.length > 0 && <TimeZoneSync known={zone} />}
      <JournalStats total={stats.totalEntries} year={year} />
      {entries.length === 0 ? (
        <EmptyJournal userId={userId} />
      ) : (
        <>
          <ReminderAfterEntries userId={userId} />
          <EntryCards entries={entries} dateFormat="us" label="Recent entries" />
        </>
      )}
      <Memories entries={memories ?? []} />
      {year && entries.length > 0 && (
        <section aria-labelledby="last-year" className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 id="last-year" className="heading text-[24px]">
              Your year
            </h2>
            <ButtonLink href="/surprise" prefetch={false} variant="secondary" size="sm">
              Surprise me
            </ButtonLink>
          </div>
          <YearHeatmap from={year.from} counts={year.counts} />
        </section>
      )}
    </div>
  );
}

/** The home page of a signed-in person: newest entries, stats and memories. Stays loading if the entries fail to load. */
export async function Dashboard({ userId }: { userId: string }) {
  const zone = (await cookies()).get('daylight.zone')?.value;
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col gap-8 py-8 sm:py-11">
      <PageHeading lead="Here's a quick look at your recent entries and journal stats.">
        Welcome to Your Video Journal
      </PageHeading>
      <MinLoadingTime milliseconds={MIN_LOADING_MS} loading={<DashboardLoading />}>
        <Suspense fallback={<DashboardLoading />}>
          <DashboardContent userId={userId} zone={zone} />
        </Suspense>
      </MinLoadingTime>
    </div>
  );
}
