import { useEffect, useState } from 'react';
import { accountValue, setAccountValue } from '@/components/ui/browser-storage';
import { type CalendarDate, localToday, toUs } from '@/lib/entries/calendar';
import { checkFields, type FieldErrors, type Typed } from './check-fields';

const NAME = 'upload-form';

/** What was typed in this tab; it may be full or blocked, and then nothing is kept. */
function draftOf(owner: string): Partial<Typed> {
  try {
    return JSON.parse(accountValue(owner, NAME, 'tab') ?? '{}') as Partial<Typed>;
  } catch {
    return {};
  }
}

const keepDraft = (owner: string, draft: Partial<Typed> | null): void =>
  setAccountValue(owner, NAME, draft && JSON.stringify(draft), 'tab');

/**
 * The title and the date of the studio's form. What is typed survives a reload and a login in this tab.
 * @param owner the account, so that nobody else in this tab sees it
 */
export function useEntryFields(owner: string) {
  const [typed, setTyped] = useState<Typed>({ title: '', date: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [today, setToday] = useState<CalendarDate | null>(null);

  useEffect(() => {
    const now = localToday();
    const draft = draftOf(owner);
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
    type(change: Partial<Typed>) {
      setTyped((before) => ({ ...before, ...change }));
      setErrors((before) => {
        const left = { ...before };
        for (const name of Object.keys(change) as (keyof Typed)[]) delete left[name];
        return left;
      });
      keepDraft(owner, { ...draftOf(owner), ...change });
    },
    /** Offers a date in place of today's, unless one was typed. */
    suggest(date: CalendarDate) {
      if (draftOf(owner).date === undefined) setTyped((before) => ({ ...before, date: toUs(date) }));
    },
    /** The fields' values, or null after marking what is wrong. */
    check() {
      const checked = checkFields(typed);
      setErrors('errors' in checked ? checked.errors : {});
      return 'said' in checked ? checked.said : null;
    },
    clear() {
      keepDraft(owner, null);
      setTyped({ title: '', date: toUs(localToday()) });
    },
  };
}
