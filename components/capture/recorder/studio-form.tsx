import { type Dispatch, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { EntryFields, useEntryFields } from '@/components/capture/uploads/form/entry-fields';
import { loadChosenFile, useMoreFiles } from '@/components/capture/uploads/form/use-more-files';
import type { OpenedShare } from '@/components/capture/uploads/shared/open-share';
import { discardShared } from '@/components/capture/uploads/shared/shared-videos';
import { lazyComponent, loadCodePatiently } from '@/components/ui/load-code';
import { toast } from '@/components/ui/toast';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { formatUsDate } from '@/lib/journal/entries/shared/calendar';
import type { Tag } from '@/lib/journal/tags/contract';
import type { StudioEvent } from './recorder-state';

export const loadReviewTags = () => loadCodePatiently(() => import('./review-tags'));
const ReviewTags = lazyComponent(loadReviewTags, 'ReviewTags');
const loadMoreFiles = () => loadCodePatiently(() => import('@/components/capture/uploads/form/more-files'));
const MoreFiles = lazyComponent(loadMoreFiles, 'MoreFiles');

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
    dispatch({ type: 'file-chosen', file: read.video });
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
      dispatch({ type: 'file-removed' });
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

/** Edits what's uploaded. Tags can be added once there's a video. */
export function StudioForm({
  form: { element, fields, more, tags, setTags },
  account,
  isPreview,
  suggestedTitle,
  busy,
  mayChoose,
  className,
  children,
}: {
  form: StudioFormState;
  account: string;
  /** Whether nothing is recorded or chosen yet. */
  isPreview: boolean;
  /** The title that was made from what was said; null if there's none. */
  suggestedTitle: string | null;
  busy: boolean;
  mayChoose: boolean;
  className: string | undefined;
  /** The chosen file, if there's one. */
  children: ReactNode;
}) {
  return (
    <form
      ref={element}
      method="dialog"
      className={className}
      onSubmit={(event) => event.preventDefault()}
      noValidate
    >
      <EntryFields
        {...fields}
        disabled={busy}
        labelsHidden={isPreview}
        titleHint={
          suggestedTitle !== null &&
          fields.typed.title === suggestedTitle && (
            <p className="-mt-3 text-14 text-ink-2">Suggested from your words. Type to change it.</p>
          )
        }
        onType={fields.type}
      />
      {!isPreview && (
        <Suspense fallback={<div className="h-[72px]" />}>
          <ReviewTags account={account} chosen={tags} onChange={setTags} />
        </Suspense>
      )}
      {children}
      {(children || more.files.length > 0) && (
        // As high as what comes, since the buttons are below it.
        <Suspense fallback={<div className="min-h-11" />}>
          <MoreFiles more={more} today={fields.today} disabled={!mayChoose} />
        </Suspense>
      )}
    </form>
  );
}
