import { useEffect, useState } from 'react';
import { SelectField } from '@/components/ui/select-field';
import { browserTimeZone, formatHour, ZoneOptions } from './time-zones';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** The values of {@link ReminderFields} in a form. */
export interface ReminderValues {
  hour: string;
  timeZone: string;
}

/**
 * Lets people choose the hour and the time zone of a reminder. The browser's zone is chosen unless one was saved.
 * @param known the browser's zone as the server knows it, for the first HTML
 */
export function ReminderFields({
  hour,
  saved,
  known,
  errors,
}: {
  hour: number;
  saved: string | null;
  known: string | undefined;
  errors: Record<string, string>;
}) {
  const [timeZone, setTimeZone] = useState(saved ?? known ?? 'UTC');
  useEffect(() => {
    if (saved === null) setTimeZone(browserTimeZone());
  }, [saved]);
  return (
    <>
      <SelectField label="Time" name="hour" defaultValue={hour} error={errors.hour} className="w-36">
        {HOURS.map((one) => (
          <option key={one} value={one}>
            {formatHour(one)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Time zone"
        name="timeZone"
        value={timeZone}
        onChange={({ target }) => setTimeZone(target.value)}
        error={errors.timeZone}
        className="w-60 max-w-full"
      >
        <ZoneOptions selected={timeZone} />
      </SelectField>
    </>
  );
}
