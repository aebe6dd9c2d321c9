'use client';

import { useContext } from 'react';
import { type CalendarDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { formatDate } from '@/lib/journal/entries/shared/date-format';
import { DateFormatContext } from './date-format-context';

/** Returns a function that writes dates as the reader wants them. */
export function useFormatDate(): (date: CalendarDate) => string {
  const format = useContext(DateFormatContext);
  return (date) => formatDate(date, format);
}

/** An entry's date as the reader wants it. */
export function EntryDate({ date, className }: { date: CalendarDate; className?: string }) {
  const format = useFormatDate();
  return (
    <time dateTime={toIso(date)} className={className}>
      {format(date)}
    </time>
  );
}
