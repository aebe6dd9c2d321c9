import { type FormEvent, useState } from 'react';
import { countEntries } from '@/components/entries/count-entries';
import { readTypedDate } from '@/components/entries/typed-date';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { TextField } from '@/components/ui/field';
import { SelectField } from '@/components/ui/select-field';
import { changeDates, undoDates } from '@/lib/bulk/routes';
import { call } from '@/lib/contract/client';
import { addDays, formatUsDate, isWithinPast100Years, localToday, toIso } from '@/lib/entries/calendar';
import type { ActionDialogProps } from './selection-actions';
import type { SelectedEntry } from './selection-state';
import { useBulkAction } from './use-bulk-action';

type Change = { date: string } | { days: number };

/** Reads how far to move; in the person's own time zone, no date may be in the future. */
function readDays(
  typed: string,
  sign: number,
  entries: readonly SelectedEntry[],
): Change | { error: string } {
  if (!/^[1-9]\d{0,4}$/.test(typed.trim())) return { error: 'Enter a whole number of days.' };
  const days = sign * Number(typed);
  const outside = entries.filter(({ date }) => !isWithinPast100Years(addDays(date, days), localToday()));
  if (outside.length === 0) return { days };
  const where = sign > 0 ? 'into the future' : 'more than 100 years back';
  return { error: `This would move ${countEntries(outside.length)} ${where}.` };
}

const MODE = 'flex min-h-11 items-center gap-2.5 text-15 font-semibold';

/** Sets one date for the entries, or moves each date by a number of days. */
export function DateDialog({ entries, open, onOpenChange }: ActionDialogProps) {
  const { isBusy, setOpen, run } = useBulkAction(onOpenChange);
  const [mode, setMode] = useState<'set' | 'move'>('set');
  const [date, setDate] = useState(() => formatUsDate(localToday()));
  const [days, setDays] = useState('1');
  const [sign, setSign] = useState(-1);
  const [error, setError] = useState<string>();
  const count = countEntries(entries.length);

  function readChange(): Change | { error: string } {
    if (mode === 'move') return readDays(days, sign, entries);
    const read = readTypedDate(date);
    return 'error' in read ? read : { date: toIso(read.date) };
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const change = readChange();
    setError('error' in change ? change.error : undefined);
    if ('error' in change) return;
    void run(async () => {
      const body = { entries: entries.map(({ id }) => id), ...change };
      const changed = await call(changeDates, { body });
      return { message: `Changed the date of ${count}.`, undo: () => call(undoDates, { body: changed }) };
    });
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
    <Dialog open={open} onOpenChange={setOpen} title={`Change the date of ${count}`}>
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
              value={days}
              onChange={(event) => setDays(event.target.value)}
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
          <Button variant="secondary" disabled={isBusy} onClick={() => setOpen(false)}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
