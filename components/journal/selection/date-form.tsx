import { type FormEvent, useState } from 'react';
import { readTypedDate } from '@/components/journal/entries/typed-date';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { SelectField } from '@/components/ui/select-field';
import {
  addDays,
  type CalendarDate,
  isWithinPast100Years,
  localToday,
} from '@/lib/journal/entries/shared/calendar';

/** One date for all, or a number of days by which each moves; earlier if it's negative. */
export type DateChange = { date: CalendarDate } | { days: number };

const MODE = 'flex min-h-11 items-center gap-2.5 text-15 font-semibold';

/**
 * Asks for one date for all, or for a number of days to move each date.
 * @param initial the date that's offered, `MM/DD/YYYY`; '' if none is
 * @param describeCount returns `1 entry`, or `1,200 entries`, for an error
 */
export function DateForm({
  initial,
  dates,
  describeCount,
  isBusy,
  onSubmit,
  onCancel,
}: {
  initial: string;
  dates: readonly CalendarDate[];
  describeCount: (count: number) => string;
  isBusy: boolean;
  onSubmit: (change: DateChange) => void;
  onCancel: () => void;
}) {
  const [mode, setMode] = useState<'set' | 'move'>('set');
  const [date, setDate] = useState(initial);
  const [typedDays, setTypedDays] = useState('1');
  const [sign, setSign] = useState(-1);
  const [error, setError] = useState<string>();

  /** Reads how far to move; in the person's own time zone, no date may be in the future. */
  function readDays(): DateChange | { error: string } {
    if (!/^[1-9]\d{0,4}$/.test(typedDays.trim())) return { error: 'Enter a whole number of days.' };
    const days = sign * Number(typedDays);
    const outside = dates.filter((one) => !isWithinPast100Years(addDays(one, days), localToday()));
    if (outside.length === 0) return { days };
    const where = sign > 0 ? 'into the future' : 'more than 100 years back';
    return { error: `This would move ${describeCount(outside.length)} ${where}.` };
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const change = mode === 'move' ? readDays() : readTypedDate(date);
    setError('error' in change ? change.error : undefined);
    if (!('error' in change)) onSubmit(change);
  }

  const modeRadio = (value: typeof mode, label: string) => (
    <label className={MODE}>
      <input
        type="radio"
        name="mode"
        checked={mode === value}
        onChange={() => {
          setMode(value);
          setError(undefined);
        }}
        className="size-5 accent-accent"
      />
      {label}
    </label>
  );

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <fieldset className="flex flex-col">
        <legend className="sr-only">How to change it</legend>
        {modeRadio('set', 'Set one date')}
        {modeRadio('move', 'Move every date')}
      </fieldset>
      {mode === 'set' ? (
        <TextField
          label="Date (MM/DD/YYYY)"
          inputMode="numeric"
          autoComplete="off"
          value={date}
          onChange={(event) => setDate(event.target.value)}
          error={error}
        />
      ) : (
        <div className="flex gap-3">
          <TextField
            label="Days"
            inputMode="numeric"
            autoComplete="off"
            value={typedDays}
            onChange={(event) => setTypedDays(event.target.value)}
            error={error}
            className="grow basis-1/2"
          />
          <SelectField
            label="Direction"
            value={sign}
            onChange={(event) => setSign(Number(event.target.value))}
            className="grow basis-1/2"
          >
            <option value={-1}>Earlier</option>
            <option value={1}>Later</option>
          </SelectField>
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy}>
          Change date
        </Button>
        <Button variant="secondary" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
