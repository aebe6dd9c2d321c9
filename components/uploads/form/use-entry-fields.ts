import { useEffect, useState } from 'react';
import { getAccountValue, setAccountValue } from '@/components/ui/browser-storage';
import { type CalendarDate, localToday, toUs } from '@/lib/entries/calendar';
import { type FieldErrors, type FieldValues, validateFields } from './validate-fields';

const STORAGE_KEY = 'upload-form';

/** What was typed in this tab; it may be full or blocked, and then nothing is kept. */
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
 * The title and the date of the studio's form. What is typed survives a reload and a login in this tab.
 * @param owner the account, so that nobody else in this tab sees it
 */
export function useEntryFields(owner: string) {
  const [typed, setTyped] = useState<FieldValues>({ title: '', date: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [today, setToday] = useState<CalendarDate | null>(null);

  useEffect(() => {
    const now = localToday();
    const draft = readDraft(owner);
    setToday(now);
    setTyped((early) => ({
      title: early.title || (draft.title ?? ''),
      date: early.date || (draft.date ?? toUs(now)),
    }));
  }, [owner]);

  return {
    typed,
    errors,
    today,
    type(change: Partial<FieldValues>) {
      setTyped((before) => ({ ...before, ...change }));
      setErrors((before) => {
        const left = { ...before };
        for (const name of Object.keys(change) as (keyof FieldValues)[]) delete left[name];
        return left;
      });
      saveDraft(owner, { ...readDraft(owner), ...change });
    },
    /** Offers a date in place of today's, unless one was typed. */
    suggest(date: CalendarDate) {
      if (readDraft(owner).date === undefined) setTyped((before) => ({ ...before, date: toUs(date) }));
    },
    /** The fields' values, or null after marking what is wrong. */
    check() {
      const checked = validateFields(typed);
      setErrors('errors' in checked ? checked.errors : {});
      return 'values' in checked ? checked.values : null;
    },
    clear() {
      saveDraft(owner, null);
      setTyped({ title: '', date: toUs(localToday()) });
    },
  };
}
