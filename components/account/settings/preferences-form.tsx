'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { browserTimeZone, formatPlace, ZoneOptions } from '@/components/reminders/time-zones';
import { Button } from '@/components/ui/button';
import { SelectField } from '@/components/ui/select-field';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import type { Preferences } from '@/lib/account/preferences/contract';
import { call } from '@/lib/api/shared/client';
import { DATE_FORMATS, formatDate } from '@/lib/journal/entries/shared/date-format';

const SAMPLE_DATE = { year: 2026, month: 11, day: 18 };

/** The zone is empty to follow the browser. */
type Values = Pick<Preferences, 'firstWeekday' | 'dateFormat'> & { timeZone: string };

/**
 * Sets where days begin, and how weeks and dates are shown.
 * @param zone the browser's zone as the server knows it, for the first HTML
 */
export function PreferencesForm({
  preferences,
  zone,
}: {
  preferences: Preferences;
  zone: string | undefined;
}) {
  const router = useRouter();
  const [timeZone, setTimeZone] = useState(preferences.timeZone ?? '');
  const [here, setHere] = useState(zone);
  useEffect(() => setHere(browserTimeZone()), []);
  const { form, busy, errors } = useForm<Values>(async (values) => {
    await call('POST /preferences', { body: { ...values, timeZone: values.timeZone || null } });
    toast.success('Preferences saved.');
    router.refresh();
    return undefined;
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          label="Time zone"
          name="timeZone"
          value={timeZone}
          onChange={({ target }) => setTimeZone(target.value)}
          error={errors.timeZone}
        >
          <option value="">{here ? `Automatic: ${formatPlace(here)}` : 'Automatic'}</option>
          <ZoneOptions selected={timeZone || (here ?? 'UTC')} />
        </SelectField>
        <SelectField
          label="First day of the week"
          name="firstWeekday"
          defaultValue={preferences.firstWeekday}
          error={errors.firstWeekday}
        >
          <option value="sunday">Sunday</option>
          <option value="monday">Monday</option>
          <option value="saturday">Saturday</option>
        </SelectField>
        <SelectField
          label="Date format"
          name="dateFormat"
          defaultValue={preferences.dateFormat}
          error={errors.dateFormat}
        >
          {DATE_FORMATS.map((format) => (
            <option key={format} value={format}>
              {formatDate(SAMPLE_DATE, format)}
            </option>
          ))}
        </SelectField>
      </div>
      <Button type="submit" busy={busy} className="self-start">
        Save preferences
      </Button>
    </form>
  );
}
