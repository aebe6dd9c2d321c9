import { CalendarDays } from 'lucide';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { readTypedDate } from '@/components/journal/entries/typed-date';
import { getAccountValue, setAccountValue } from '@/components/ui/browser-storage';
import { Field, TextField } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { lazyComponent } from '@/components/ui/load-code';
import { POPOVER, usePopover } from '@/components/ui/popover';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import {
  type CalendarDate,
  formatUsDate,
  localToday,
  parseUsDate,
} from '@/lib/journal/entries/shared/calendar';

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
  if (title.trim() === '') errors.title = 'A title is required.';
  if ('error' in read) errors.date = read.error;
  return 'error' in read || errors.title ? { errors } : { values: { title: title.trim(), date: read.date } };
}

const STORAGE_KEY = 'upload-form';

/** Returns what was typed in this tab, as far as its storage is available. */
function readDraft(owner: string): Partial<FieldValues> {
  try {
    return JSON.parse(getAccountValue(owner, STORAGE_KEY, 'tab') ?? '{}') as Partial<FieldValues>;
  } catch {
    return {};
  }
}

const saveDraft = (owner: string, draft: Partial<FieldValues> | null): void =>
  setAccountValue(owner, STORAGE_KEY, draft && JSON.stringify(draft), 'tab');

/**
 * Manages the studio's title and date. What's typed survives a reload and a login in this tab.
 * @param owner the account, so that no one else in this tab sees it
 */
export function useEntryFields(owner: string) {
  const [typed, setTyped] = useState<FieldValues>({ title: '', date: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [today, setToday] = useState<CalendarDate | null>(null);
  const isTypedHere = useRef(false);

  useEffect(() => {
    const now = localToday();
    const draft = readDraft(owner);
    setToday(now);
    setTyped((early) => ({
      title: early.title || (draft.title ?? ''),
      date: early.date || (draft.date ?? formatUsDate(now)),
    }));
  }, [owner]);

  function clear() {
    isTypedHere.current = false;
    saveDraft(owner, null);
    setTyped({ title: '', date: formatUsDate(localToday()) });
  }

  return {
    typed,
    errors,
    today,
    type(change: Partial<FieldValues>) {
      isTypedHere.current = true;
      setTyped((before) => ({ ...before, ...change }));
      setErrors((before) => {
        const left = { ...before };
        for (const name of Object.keys(change) as (keyof FieldValues)[]) delete left[name];
        return left;
      });
      saveDraft(owner, { ...readDraft(owner), ...change });
    },
    /** Fills in a better default, unless something was typed. */
    suggest(values: Partial<FieldValues>) {
      const draft = readDraft(owner);
      const untouched = Object.entries(values).filter(
        ([name]) => draft[name as keyof FieldValues] === undefined,
      );
      if (untouched.length > 0) setTyped((before) => ({ ...before, ...Object.fromEntries(untouched) }));
    },
    /**
     * Returns the values, or shows what's invalid and returns null.
     * @param title for one that nobody has typed anything for
     */
    check(title = '') {
      const isUntouched = typed.title === '' && readDraft(owner).title === undefined;
      const checked = validateFields(isUntouched ? { ...typed, title } : typed);
      setErrors('errors' in checked ? checked.errors : {});
      return 'values' in checked ? checked.values : null;
    },
    clear,
    /** Empties the fields of what was typed for something else, before this page was opened. */
    clearOlder() {
      if (!isTypedHere.current) clear();
    },
  };
}

/** Takes a date typed as MM/DD/YYYY or picked from a calendar, which loads when it's opened. */
function DateField({
  value,
  onChange,
  error,
  today,
  disabled,
  labelHidden,
}: {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  today: CalendarDate | null;
  disabled: boolean;
  labelHidden: boolean | undefined;
}) {
  const popover = usePopover();
  const typed = usePrehydrationInput<HTMLInputElement>((input) => onChange(input.value));
  return (
    <Field label="Date" labelHidden={labelHidden} error={error}>
      {(control) => (
        <span className="relative block">
          <input
            ref={typed}
            {...control}
            className="control pr-12 tabular-nums"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            placeholder="Select a date in the past"
            autoComplete="off"
            disabled={disabled}
            required
          />
          <button
            {...popover.button}
            disabled={disabled}
            aria-label="Open calendar"
            className="absolute top-0 right-0 grid size-11 place-items-center rounded-12 text-ink-2 hover:text-ink"
          >
            <Icon of={CalendarDays} className="size-5" aria-hidden="true" />
          </button>
          <div {...popover.panel} className={`${POPOVER} p-3`}>
            {popover.isOpen && today && (
              <Suspense fallback={<p role="status">Loading...</p>}>
                <DatePicker
                  selected={parseUsDate(value)}
                  today={today}
                  onSelect={(date) => {
                    onChange(formatUsDate(date));
                    popover.close();
                  }}
                />
              </Suspense>
            )}
          </div>
        </span>
      )}
    </Field>
  );
}

/** Edits the title and date of a video to be uploaded. */
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
  const title = usePrehydrationInput<HTMLInputElement>(({ value }) => onType({ title: value }));
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
      <DateField
        value={typed.date}
        onChange={(date) => onType({ date })}
        error={errors.date}
        today={today}
        disabled={disabled}
        labelHidden={labelsHidden}
      />
    </>
  );
}
