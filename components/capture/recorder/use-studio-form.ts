import { type Dispatch, useEffect, useRef, useState } from 'react';
import {
  type FieldErrors,
  type FieldValues,
  validateFields,
} from '@/components/capture/uploads/form/entry-fields';
import { loadChosenFile, useMoreFiles } from '@/components/capture/uploads/form/use-more-files';
import type { OpenedShare } from '@/components/capture/uploads/shared/open-share';
import { discardShared } from '@/components/capture/uploads/shared/shared-videos';
import { getAccountValue, parseSaved, setAccountValue } from '@/components/ui/browser-storage';
import { loadCodePatiently } from '@/components/ui/load-code';
import { toast } from '@/components/ui/toast';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { type CalendarDate, formatUsDate, localToday } from '@/lib/journal/entries/shared/calendar';
import type { Tag } from '@/lib/journal/tags/contract';
import type { StudioEvent } from './recorder-state';

export const loadReviewTags = () => loadCodePatiently(() => import('./review-tags'));
export const loadReviewMarks = () => loadCodePatiently(() => import('./review-marks'));
export const loadMoreFiles = () =>
  loadCodePatiently(() => import('@/components/capture/uploads/form/more-files'));

const STORAGE_KEY = 'upload-form';

/** Returns what was typed in this tab, as far as its storage is available. */
const readDraft = (owner: string): Partial<FieldValues> =>
  parseSaved(getAccountValue(owner, STORAGE_KEY, 'tab')) ?? {};

const saveDraft = (owner: string, draft: Partial<FieldValues> | null): void =>
  setAccountValue(owner, STORAGE_KEY, draft && JSON.stringify(draft), 'tab');

/**
 * Manages the studio's title and date. What's typed survives a reload and a login in this tab.
 * @param owner the account, so that no one else in this tab sees it
 */
function useEntryFields(owner: string) {
  const [defaults, setDefaults] = useState<FieldValues>({ title: '', date: '' });
  /** What was typed, which comes before the defaults. */
  const [draft, setDraft] = useState<Partial<FieldValues>>({});
  const [errors, setErrors] = useState<FieldErrors>({});
  const [today, setToday] = useState<CalendarDate | null>(null);
  const isTypedHere = useRef(false);
  const typed = { ...defaults, ...draft };

  /** Fills in better defaults. */
  const suggest = (values: Partial<FieldValues>) => setDefaults((before) => ({ ...before, ...values }));

  useEffect(() => {
    const now = localToday();
    setToday(now);
    setDefaults((before) => ({ ...before, date: formatUsDate(now) }));
    setDraft((early) => ({ ...readDraft(owner), ...early }));
  }, [owner]);

  function clear() {
    isTypedHere.current = false;
    saveDraft(owner, null);
    setDraft({});
    setDefaults({ title: '', date: formatUsDate(localToday()) });
  }

  return {
    typed,
    errors,
    today,
    suggest,
    type(change: Partial<FieldValues>) {
      isTypedHere.current = true;
      setDraft((before) => ({ ...before, ...change }));
      setErrors((before) => {
        const left = { ...before };
        for (const name of Object.keys(change) as (keyof FieldValues)[]) delete left[name];
        return left;
      });
      saveDraft(owner, { ...readDraft(owner), ...change });
    },
    /**
     * Returns the values, or shows what's invalid and returns null.
     * @param title for one that nobody has typed anything for
     */
    check(title = '') {
      const isUntouched = typed.title === '' && draft.title === undefined;
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

/** What's typed and chosen in the studio, until it's uploaded. */
export type StudioFormState = ReturnType<typeof useStudioForm>;

/**
 * Manages the studio's form: title and date, tags, the chosen file, and additional ones.
 * @param file the chosen one
 */
export function useStudioForm(
  owner: string,
  limits: FileLimits,
  file: File | null,
  dispatch: Dispatch<StudioEvent>,
) {
  const fields = useEntryFields(owner);
  const more = useMoreFiles(limits);
  const [tags, setTags] = useState<readonly Tag[]>([]);
  const element = useRef<HTMLFormElement>(null);
  /** How many times the fields turned out to be invalid. */
  const [refusals, setRefusals] = useState(0);

  // Early, so that a file can be chosen without a network, or after a release.
  useEffect(() => void Promise.all([loadChosenFile(), loadMoreFiles()]), []);
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus();
  }, [refusals]);

  async function choose(chosen: File): Promise<void> {
    const { readChosenFile } = await loadChosenFile();
    const read = await readChosenFile(chosen, limits);
    if ('problem' in read) return toast.error(read.problem);
    if (file) void discardShared(file);
    dispatch({ type: 'file-changed', file: read.video });
    if (read.recorded) fields.suggest({ date: formatUsDate(read.recorded) });
  }

  return {
    element,
    fields,
    more,
    tags,
    setTags,
    choose,
    removeFile() {
      if (file) void discardShared(file);
      dispatch({ type: 'file-changed', file: null });
    },
    /** Adds videos that another app shared. They don't take the place of one that was chosen while they waited. */
    addShared({ files, title, isNew }: OpenedShare) {
      if (file) return void more.add(files);
      const [first, ...others] = files;
      if (!first) return;
      if (isNew) fields.clearOlder();
      if (title) fields.suggest({ title });
      void choose(first);
      void more.add(others);
    },
    /**
     * Returns the entry and the additional files, or moves the focus to what's invalid and returns null.
     * @param of what's uploaded: a recording has a title if nobody has typed anything, and comes without other files
     */
    check(of: 'file' | { defaultTitle: string }) {
      const isFile = of === 'file';
      const values = fields.check(isFile ? '' : of.defaultTitle);
      const others = isFile ? more.check() : [];
      if (values && others) return { entry: { ...values, tagIds: tags.map(({ id }) => id) }, others };
      setRefusals((before) => before + 1);
      return null;
    },
    /** Empties the form, but for the chosen file. */
    clear() {
      more.clear();
      fields.clear();
      setTags([]);
    },
  };
}
