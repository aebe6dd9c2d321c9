import { useEffect, useRef, useState } from 'react';
import { ReminderFields, type ReminderValues } from '@/components/reminders/reminder-fields';
import { formatHour, formatPlace } from '@/components/reminders/time-zones';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { useForm } from '@/components/ui/use-form';
import { call } from '@/lib/api/shared/client';
import type { Reminder } from '@/lib/reminders/contract';

/** Turns the daily email on without leaving the page, and then says when it comes. */
export function ReminderStep({ reminder, zone }: { reminder: Reminder; zone: string | undefined }) {
  const [done, setDone] = useState<string>();
  const result = useRef<HTMLParagraphElement>(null);
  // The form that had the focus is gone.
  useEffect(() => {
    if (done) result.current?.focus();
  }, [done]);
  const { form, busy, errors } = useForm<ReminderValues>(async ({ hour, timeZone }) => {
    const saved = await call('POST /reminder', { body: { enabled: true, hour: Number(hour), timeZone } });
    setDone(`We’ll email you every day at ${formatHour(saved.hour)}, ${formatPlace(timeZone)} time.`);
    return undefined;
  });
  if (done) {
    return (
      <p ref={result} tabIndex={-1} className="text-15 text-ink-2 focus:outline-none">
        {done} You can change that in Settings.
      </p>
    );
  }
  return (
    <form {...form} className="flex flex-wrap items-end gap-4">
      <ReminderFields hour={reminder.hour} saved={reminder.timeZone} known={zone} errors={errors} />
      <Button type="submit" busy={busy} variant="secondary">
        Remind me
      </Button>
    </form>
  );
}

/** Offers a reminder once there's an entry, until it has been answered. */
export function ReminderOffer({ reminder, zone }: { reminder: Reminder; zone: string | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isDismissed, setIsDismissed] = useState(false);
  if (isDismissed) return null;
  return (
    <section aria-label="Reminder" className="flex flex-col gap-4 border-y border-line py-3">
      {!isOpen && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <p className="text-15 text-ink-2">Would a daily email with a question help?</p>
          <Button size="sm" variant="secondary" onClick={() => setIsOpen(true)}>
            Choose a time
          </Button>
          <Button
            size="sm"
            variant="ghost"
            aria-label="Not now: a daily email"
            onClick={() => {
              call('POST /onboarding/dismiss', { body: { step: 'reminder' } }).catch(showError);
              setIsDismissed(true);
            }}
          >
            Not now
          </Button>
        </div>
      )}
      {isOpen && <ReminderStep reminder={reminder} zone={zone} />}
    </section>
  );
}
