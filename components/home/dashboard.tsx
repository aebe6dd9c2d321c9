import { ChevronRight, Shuffle } from 'lucide';
import { cookies } from 'next/headers';
import Link from 'next/link';
import { type CSSProperties, Suspense } from 'react';
import { EmptyJournal, ReminderAfterEntries } from '@/components/home/onboarding/first-steps';
import { countEntries } from '@/components/journal/entries/count-entries';
import { EntryCardSkeletons, EntryCards } from '@/components/journal/entries/entry-card';
import { waveformPeaks } from '@/components/journal/player/waveform-path';
import { ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Loading, Skeleton } from '@/components/ui/loading';
import { MIN_LOADING_MS } from '@/components/ui/min-loading-time';
import { currentTimeZone } from '@/lib/account/preferences/current';
import { log } from '@/lib/foundation/log';
import {
  dashboard,
  getYearActivity,
  hourIn,
  todayIn,
  type YearActivity,
} from '@/lib/journal/entries/dashboard';
import { type CalendarDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { type DayQuestion as Asked, questionOfDay } from '@/lib/journal/memories/questions';
import { type Memory, onThisDay } from '@/lib/journal/memories/service';
import { promptOfDay } from '@/lib/journal/shared/prompts';
import styles from './dashboard.module.css';
import { dateInWords, partOfDay, weekdayAndPart, weekInWords, yearInWords } from './day-in-words';
import { DayQuestion } from './day-question';
import { LazyMemories, LazyYearDots } from './lazy-parts';
import { TimeZoneSync } from './time-zone-sync';

/** How many bars a memory's waveform has. */
const BARS = 128;

function DashboardLoading() {
  return (
    <Loading>
      <div className="flex flex-col gap-12 pt-10 sm:gap-14">
        <Skeleton className="h-52 max-w-lg" />
        <EntryCardSkeletons count={6} />
      </div>
    </Loading>
  );
}

/** Logs a failure and returns null, so that the page is shown without that part. */
const nullOnError = <T,>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    log.error({ err: error }, 'Error fetching dashboard details:');
    return null;
  });

/** How much there is: at the right of the running head, or below it on phones. */
function JournalStats({ total, words }: { total: number; words: number }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 tabular-nums max-sm:border-b max-sm:border-line max-sm:pb-4 sm:absolute sm:right-0 sm:bottom-full sm:flex-col sm:items-end sm:pb-4">
      <p className="text-16 font-semibold">{`Total Entries: ${total}`}</p>
      {words > 0 && <p className="text-15 text-ink-2">{`${words.toLocaleString('en-US')} words spoken`}</p>}
    </div>
  );
}

const toShown = ({ waveform, ...memory }: Memory) => ({
  ...memory,
  // Two digits are half a pixel of the bars' height.
  peaks: waveform ? waveformPeaks(waveform, BARS).map((peak) => Math.round(peak * 100) / 100) : [],
});

type Details = Awaited<ReturnType<typeof dashboard>>;

/** The day in words, a sentence about the week, and today's question. */
function Today({
  today,
  hour,
  year,
  latest,
  asked,
}: {
  today: CalendarDate;
  hour: number;
  year: YearActivity | null;
  latest: Details['entries'][number] | undefined;
  /** Null if it can't be read. */
  asked: Asked | null;
}) {
  const { month, day } = dateInWords(today);
  const isLate = ['evening', 'night'].includes(partOfDay(hour));
  return (
    <div className="grid gap-x-10 gap-y-8 md:grid-cols-[1.22fr_1fr]">
      <div className="flex flex-col gap-4">
        <p className="text-17 text-ink-2">{weekdayAndPart(today, hour)}</p>
        <p className="heading text-[clamp(36px,12vw,52px)] leading-none! sm:text-[clamp(52px,5.6vw,76px)]">
          {month} <br />
          {day}
        </p>
        <p className="max-w-[46ch] text-17 text-pretty text-ink-2">{weekInWords(today, year, latest)}</p>
      </div>
      <div className="border-line max-md:border-t max-md:pt-8 md:border-l md:pl-10">
        <DayQuestion
          key={toIso(today)}
          asked={asked ?? { question: promptOfDay(toIso(today)), answer: null, earlier: null }}
          today={today}
          part={isLate ? 'Tonight’s' : 'Today’s'}
        />
      </div>
    </div>
  );
}

function Year({ year }: { year: YearActivity }) {
  return (
    <section aria-labelledby="last-year" className="flex flex-col gap-5 border-t border-line pt-9">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-5 gap-y-1">
          <h2 id="last-year" className="heading text-[26px]">
            Your year
          </h2>
          <p className="text-15 text-pretty text-ink-2">{yearInWords(year)}</p>
        </div>
        <ButtonLink href="/surprise" prefetch={false} variant="secondary" size="sm">
          <Icon of={Shuffle} className="size-4" aria-hidden="true" />
          Surprise me
        </ButtonLink>
      </div>
      <LazyYearDots from={year.from} days={year.days} />
    </section>
  );
}

function RecentEntries({ entries, stats }: Details) {
  return (
    <section aria-label="Recent entries" className="flex flex-col gap-6 border-t border-line pt-9">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <h2 className="heading text-[26px]">Recent entries</h2>
        <Link
          href="/journals"
          className="inline-flex min-h-11 items-center gap-1 rounded-8 text-15 font-semibold text-accent-ink underline-offset-4 hover:underline"
        >
          All {countEntries(stats.totalEntries)}
          <Icon of={ChevronRight} className="size-4" aria-hidden="true" />
        </Link>
      </div>
      <EntryCards entries={entries} />
    </section>
  );
}

async function DashboardContent({ userId }: { userId: string }) {
  const zone = await currentTimeZone();
  const today = todayIn(zone);
  const [details, year, memories, asked] = await Promise.all([
    nullOnError(dashboard(userId)),
    nullOnError(getYearActivity(userId, today)),
    nullOnError(onThisDay(userId, today)),
    nullOnError(questionOfDay(userId, today)),
  ]);
  if (!details) return <DashboardLoading />;
  const { entries, stats } = details;
  return (
    <>
      <JournalStats total={stats.totalEntries} words={year?.words ?? 0} />
      <div className="flex flex-col gap-12 pt-10 sm:gap-14 sm:pt-12">
        {entries.length === 0 ? (
          <EmptyJournal userId={userId} />
        ) : (
          <>
            <TimeZoneSync known={(await cookies()).get('daylight.zone')?.value} />
            <Today today={today} hour={hourIn(zone)} year={year} latest={entries[0]} asked={asked} />
            <ReminderAfterEntries userId={userId} />
            {memories && memories.length > 0 && (
              <LazyMemories memories={memories.map(toShown)} thisYear={today.year} />
            )}
            {year && <Year year={year} />}
            <RecentEntries {...details} />
          </>
        )}
      </div>
    </>
  );
}

/** The home page of a signed-in person, as a page of a diary. Stays loading if the entries fail to load. */
export function Dashboard({ userId }: { userId: string }) {
  return (
    <div className="gutter mx-auto w-full max-w-page py-6 sm:py-8">
      <div className="flex flex-col gap-1 sm:border-b sm:border-line sm:pb-4 max-sm:mb-3">
        <h1 className="heading text-[20px] sm:text-[22px]">Welcome to Your Video Journal</h1>
        <p className="max-w-[70%] text-15 text-pretty text-ink-2 max-sm:max-w-none">
          Here's a quick look at your recent entries and journal stats.
        </p>
      </div>
      {/* The browser counts the time, since the server may be done before the first paint. */}
      <div className={styles.both} style={{ '--min-loading': `${MIN_LOADING_MS}ms` } as CSSProperties}>
        <div className={styles.loading}>
          <DashboardLoading />
        </div>
        <div className={styles.content}>
          <Suspense fallback={<DashboardLoading />}>
            <DashboardContent userId={userId} />
          </Suspense>
        </div>
      </div>
    </div>
  );
}
