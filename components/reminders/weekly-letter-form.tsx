'use client';

import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import { call } from '@/lib/api/shared/client';
import type { WeeklyLetter } from '@/lib/reminders/contract';
import { browserTimeZone, formatPlace } from './time-zones';

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
  const { form, busy } = useForm<{ enabled?: string }>(async ({ enabled }) => {
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
  return (
    <form {...form} className="flex flex-col gap-5">
      <label className="flex min-h-11 items-center gap-3 text-15">
        <input
          type="checkbox"
          name="enabled"
          defaultChecked={letter.enabled}
          className="size-5 accent-(--accent)"
        />
        Send me a letter on Sundays at 6:00 PM{zone && `, ${formatPlace(zone)} time`}
      </label>
      <Button type="submit" busy={busy} className="self-start">
        Save letter
      </Button>
    </form>
  );
}
