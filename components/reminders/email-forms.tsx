'use client';

import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import { call } from '@/lib/api/shared/client';
import type { Reminder, WeeklyLetter } from '@/lib/reminders/contract';
import { ReminderFields, type ReminderValues } from './reminder-fields';
import { browserTimeZone, formatHour, formatPlace } from './time-zones';

/** A checkbox that turns a kind of email on or off, what else can be set, and a button that saves it. */
function EmailForm({
  form: { form, busy },
  enabled,
  label,
  button,
  children,
}: {
  form: Pick<ReturnType<typeof useForm>, 'form' | 'busy'>;
  enabled: boolean;
  label: string;
  button: string;
  children?: ReactNode;
}) {
  return (
    <form {...form} className="flex flex-col gap-5">
      <label className="flex min-h-11 items-center gap-3 text-15">
        <input type="checkbox" name="enabled" defaultChecked={enabled} className="size-5 accent-(--accent)" />
        {label}
      </label>
      {children}
      <Button type="submit" busy={busy} className="self-start">
        {button}
      </Button>
    </form>
  );
}

/** Turns the daily email on or off, and sets its hour and time zone. */
export function ReminderForm({ reminder, zone }: { reminder: Reminder; zone: string | undefined }) {
  const form = useForm<ReminderValues & { enabled?: string }>(async ({ hour, timeZone, enabled }) => {
    const saved = await call('POST /reminder', {
      body: { enabled: enabled !== undefined, hour: Number(hour), timeZone },
    });
    toast.success(
      saved.enabled
        ? `We’ll email you at ${formatHour(saved.hour)}, ${formatPlace(timeZone)} time.`
        : 'Reminders are off.',
    );
    return undefined;
  });
  return (
    <EmailForm form={form} enabled={reminder.enabled} label="Remind me every day" button="Save reminder">
      <div className="flex flex-wrap gap-4">
        <ReminderFields hour={reminder.hour} saved={reminder.timeZone} known={zone} errors={form.errors} />
      </div>
    </EmailForm>
  );
}

/**
 * Turns the weekly letter on or off. It follows the time zone that's chosen under Preferences, or else the browser's.
 * @param known the browser's zone as the server knows it, for the first HTML
 */
export function WeeklyLetterForm({
  letter,
  chosen,
  known,
}: {
  letter: WeeklyLetter;
  chosen: string | null;
  known: string | undefined;
}) {
  const form = useForm<{ enabled?: string }>(async ({ enabled }) => {
    const timeZone = chosen ?? browserTimeZone();
    const saved = await call('POST /weekly_letter', { body: { enabled: enabled !== undefined, timeZone } });
    toast.success(
      saved.enabled
        ? `We’ll write to you on Sundays at 6:00 PM, ${formatPlace(timeZone)} time.`
        : 'The weekly letter is off.',
    );
    return undefined;
  });
  const zone = (letter.enabled ? letter.timeZone : null) ?? chosen ?? known;
  const label = `Send me a letter on Sundays at 6:00 PM${zone ? `, ${formatPlace(zone)} time` : ''}`;
  return <EmailForm form={form} enabled={letter.enabled} label={label} button="Save letter" />;
}
