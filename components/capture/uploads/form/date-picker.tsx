import { DayPicker } from '@daypicker/react';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';
import '@daypicker/react/style.css';
import './date-picker.css';

const asDate = ({ year, month, day }: CalendarDate) => new Date(year, month - 1, day);

/** Picks a day from a month, up to `today`. */
export function DatePicker({
  selected,
  today,
  onSelect,
}: {
  selected: CalendarDate | null;
  today: CalendarDate;
  onSelect: (date: CalendarDate) => void;
}) {
  return (
    <DayPicker
      mode="single"
      required
      autoFocus
      captionLayout="dropdown"
      navLayout="after"
      className="date-picker"
      selected={selected ? asDate(selected) : undefined}
      defaultMonth={asDate(selected ?? today)}
      startMonth={new Date(today.year - 100, today.month - 1)}
      endMonth={asDate(today)}
      today={asDate(today)}
      disabled={{ after: asDate(today) }}
      onSelect={(date) =>
        onSelect({ year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() })
      }
    />
  );
}
