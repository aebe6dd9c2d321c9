import { useEffect, useState } from 'react';
import { type CalendarDate, localToday, toUs } from '@/lib/entries/calendar';
import { checkFields, type FieldErrors, type Typed } from './check-fields';

/** Kept for this tab only; it may be full or forbidden, and then nothing is. */
function draftOf(key: string): Partial<Typed> {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Typed>;
  } catch {
    return {};
  }
}

function keepDraft(key: string, draft: Partial<Typed>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // What is typed then lasts as long as the page.
  }
}

/**
 * The title and the date of the studio's form. What is typed survives a reload and a login in this tab.
 * @param owner the account, so that nobody else in this tab sees it
 */
export function useEntryFields(owner: string) {
  const key = `daylight-upload-${owner}`;
  const [typed, setTyped] = useState<Typed>({ title: '', date: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [today, setToday] = useState<CalendarDate | null>(null);

  useEffect(() => {
    const now = localToday();
    const draft = draftOf(key);
    setToday(now);
    setTyped((early) => ({
      title: early.title || (draft.title ?? ''),
      date: early.date || (draft.date ?? toUs(now)),
    }));
  }, [key]);

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
      keepDraft(key, { ...draftOf(key), ...change });
    },
    /** Offers a date in place of today's, unless one was typed. */
    suggest(date: CalendarDate) {
      if (draftOf(key).date === undefined) setTyped((before) => ({ ...before, date: toUs(date) }));
    },
    /** The fields' values, or null after marking what is wrong. */
    check() {
      const checked = checkFields(typed);
      setErrors('errors' in checked ? checked.errors : {});
      return 'said' in checked ? checked.said : null;
    },
    clear() {
      keepDraft(key, {});
      setTyped({ title: '', date: toUs(localToday()) });
    },
  };
}
