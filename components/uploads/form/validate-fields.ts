import { type CalendarDate, fromUs, inPast100Years, localToday } from '@/lib/entries/calendar';

/** What is typed about a video; the date as MM/DD/YYYY. */
export interface FieldValues {
  title: string;
  date: string;
}

export type FieldErrors = Partial<Record<keyof FieldValues, string>>;

const INVALID_FORMAT = 'Invalid date. Must be in MM/DD/YYYY format.';
const OUT_OF_RANGE = 'Invalid date. Must be in the past 100 years.';

/** What is typed as an entry's title and date, or a sentence for each field that is wrong. */
export function validateFields({
  title,
  date,
}: FieldValues): { values: { title: string; date: CalendarDate } } | { errors: FieldErrors } {
  const parsed = fromUs(date);
  const errors: FieldErrors = {};
  if (title.trim() === '') errors.title = 'A title is required.';
  if (!parsed) errors.date = INVALID_FORMAT;
  // The person's own today: the server's clock may stand in another day.
  else if (!inPast100Years(parsed, localToday())) errors.date = OUT_OF_RANGE;
  return parsed && !errors.title && !errors.date
    ? { values: { title: title.trim(), date: parsed } }
    : { errors };
}
