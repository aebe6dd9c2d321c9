import { cookies } from 'next/headers';
import { LazyInvitation, LazyReminderOffer } from '@/components/home/lazy-parts';
import { TimeZoneSync } from '@/components/home/time-zone-sync';
import { monthName, weekdayOf } from '@/components/journal/entries/calendar-names';
import sample from '@/components/journal/sample/sample.json';
import { currentTimeZone } from '@/lib/account/preferences/current';
import { dismissedSteps, usesBuiltInSpeech } from '@/lib/account/profile/service';
import { log } from '@/lib/foundation/log';
import { todayIn } from '@/lib/journal/entries/dashboard';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { promptOfDay } from '@/lib/journal/shared/prompts';
import { getReminder } from '@/lib/reminders/service';

const STEPS = ['question', 'reminder', 'words'] as const;

async function readSteps(userId: string) {
  const [reminder, dismissed] = await Promise.all([getReminder(userId), dismissedSteps(userId)]);
  const isAnswered = reminder.timeZone !== null;
  const steps = STEPS.filter((step) => !dismissed.includes(step) && !(step === 'reminder' && isAnswered));
  const hasSample = !dismissed.includes('sample');
  return { reminder, steps, hasSample, zone: (await cookies()).get('daylight.zone')?.value };
}

/** What an empty journal shows: today's question, how to start, and what wasn't dismissed of the sample and the steps. */
export async function EmptyJournal({ userId }: { userId: string }) {
  const { reminder, steps, hasSample, zone } = await readSteps(userId);
  const date = todayIn(await currentTimeZone());
  const today = toIso(date);
  return (
    <>
      <TimeZoneSync known={zone} />
      <LazyInvitation
        weekday={weekdayOf(date)}
        date={`${monthName(date.month)} ${date.day}`}
        question={promptOfDay(today)}
        sample={hasSample ? { title: sample.title, duration: sample.duration } : null}
        steps={steps}
        reminder={reminder}
        zone={zone}
        isBuiltIn={usesBuiltInSpeech()}
      />
    </>
  );
}

/** Offers a reminder to someone who has entries, unless they've answered. Shows nothing if that can't be read. */
export async function ReminderAfterEntries({ userId }: { userId: string }) {
  const found = await readSteps(userId).catch((error: unknown) => {
    log.error({ err: error }, 'failed to read the first steps');
    return null;
  });
  if (!found?.steps.includes('reminder')) return null;
  return <LazyReminderOffer reminder={found.reminder} zone={found.zone} />;
}
