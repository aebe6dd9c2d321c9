import { CalendarDays } from 'lucide';
import { type ReactNode, Suspense } from 'react';
import { readTypedDate } from '@/components/journal/entries/typed-date';
import { Field, TextField } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { lazyComponent } from '@/components/ui/load-code';
import { POPOVER, usePopover } from '@/components/ui/popover';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import { cleanText, isBlank } from '@/lib/foundation/shared/clean-text';
import { type CalendarDate, formatUsDate, parseUsDate } from '@/lib/journal/entries/shared/calendar';

const DatePicker = lazyComponent(() => import('./date-picker'), 'DatePicker');

/** The fields as typed; the date is MM/DD/YYYY. */
export interface FieldValues {
  title: string;
  date: string;
}

export type FieldErrors = Partial<Record<keyof FieldValues, string>>;

/** Returns the parsed title and date, or an error for each invalid field. */
export function validateFields({
  title,
  date,
}: FieldValues): { values: { title: string; date: CalendarDate } } | { errors: FieldErrors } {
  const read = readTypedDate(date);
  const errors: FieldErrors = {};
  if (isBlank(title)) errors.title = 'A title is required.';
  if ('error' in read) errors.date = read.error;
  return 'error' in read || errors.title
    ? { errors }
    : { values: { title: cleanText(title), date: read.date } };
}

/**
 * Edits the title and date of a video to be uploaded. The date is typed as MM/DD/YYYY or picked from a calendar, which loads
 * when it's opened.
 */
export function EntryFields({
  typed,
  errors,
  today,
  disabled,
  labelsHidden,
  titleHint,
  onType,
}: {
  typed: FieldValues;
  errors: FieldErrors;
  today: CalendarDate | null;
  disabled: boolean;
  /** Keeps the labels for screen readers only. */
  labelsHidden?: boolean;
  titleHint?: ReactNode;
  onType: (change: Partial<FieldValues>) => void;
}) {
  const calendar = usePopover();
  const title = usePrehydrationInput<HTMLInputElement>(({ value }) => onType({ title: value }));
  const date = usePrehydrationInput<HTMLInputElement>(({ value }) => onType({ date: value }));
  return (
    <>
      <TextField
        ref={title}
        label="Title"
        labelHidden={labelsHidden}
        placeholder={labelsHidden ? 'Title, if you have one' : undefined}
        name="title"
        value={typed.title}
        onChange={(event) => onType({ title: event.target.value })}
        error={errors.title}
        maxLength={200}
        autoComplete="off"
        disabled={disabled}
        required
      />
      {titleHint}
      <Field label="Date" labelHidden={labelsHidden} error={errors.date}>
        {(control) => (
          <span className="relative block">
            <input
              ref={date}
              {...control}
              className="control pr-12 tabular-nums"
              value={typed.date}
              onChange={(event) => onType({ date: event.target.value })}
              placeholder="Select a date in the past"
              autoComplete="off"
              disabled={disabled}
              required
            />
            <button
              {...calendar.button}
              disabled={disabled}
              aria-label="Open calendar"
              className="absolute top-0 right-0 grid size-11 place-items-center rounded-12 text-ink-2 hover:text-ink"
            >
              <Icon of={CalendarDays} className="size-5" aria-hidden="true" />
            </button>
            <div {...calendar.panel} className={`${POPOVER} p-3`}>
              {calendar.isOpen && today && (
                <Suspense fallback={<p role="status">Loading...</p>}>
                  <DatePicker
                    selected={parseUsDate(typed.date)}
                    today={today}
                    onSelect={(picked) => {
                      onType({ date: formatUsDate(picked) });
                      calendar.close();
                    }}
                  />
                </Suspense>
              )}
            </div>
          </span>
        )}
      </Field>
    </>
  );
}
