'use client';

import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import { call } from '@/lib/api/shared/client';
import type { Reminder } from '@/lib/reminders/contract';
import { ReminderFields, type ReminderValues } from './reminder-fields';
import { formatHour, formatPlace } from './time-zones';

/** Turns the daily email on or off, and sets its hour and time zone. */
export function ReminderForm({ reminder, zone }: { reminder: Reminder; zone: string | undefined }) {
  const { form, busy, errors } = useForm<ReminderValues & { enabled?: string }>(
    async ({ hour, timeZone, enabled }) => {
      const saved = await call('POST /reminder', {
        body: { enabled: enabled !== undefined, hour: Number(hour), timeZone },
      });
      toast.success(
        saved.enabled
          ? `We’ll email you at ${formatHour(saved.hour)}, ${formatPlace(timeZone)} time.`
          : 'Reminders are off.',
      );
      return undefined;
    },
  );
  return (
    <form {...form} className="flex flex-col gap-5">
      <label className="flex min-h-11 items-center gap-3 text-15">
        <input
          type="checkbox"
          name="enabled"
          defaultChecked={reminder.enabled}
          className="size-5 accent-(--accent)"
        />
        Remind me every day
      </label>
      <div className="flex flex-wrap gap-4">
        <ReminderFields hour={reminder.hour} saved={reminder.timeZone} known={zone} errors={errors} />
      </div>
      <Button type="submit" busy={busy} className="self-start">
        Save reminder
      </Button>
    </form>
  );
}
