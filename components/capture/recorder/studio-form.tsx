import { Suspense } from 'react';
import { EntryFields } from '@/components/capture/uploads/form/entry-fields';
import type { Elements } from '@/components/ui/elements';
import { lazyComponent } from '@/components/ui/load-code';
import type { StudioModel } from './use-studio';
import { loadMoreFiles, loadReviewMarks, loadReviewTags } from './use-studio-form';

const ReviewTags = lazyComponent(loadReviewTags, 'ReviewTags');
const ReviewMarks = lazyComponent(loadReviewMarks, 'ReviewMarks');
const MoreFiles = lazyComponent(loadMoreFiles, 'MoreFiles');

/** Edits what's uploaded. Tags can be added once there's a video. */
export function StudioForm({
  studio: { userId, file, form, name, suggestedTitle, marks, busy, mayChoose, layout },
  children,
}: {
  studio: StudioModel;
  /** The chosen file, if there's one. */
  children: Elements;
}) {
  const { element, fields, more, tags, setTags } = form;
  const isPreview = name === 'preview';
  return (
    <form
      ref={element}
      method="dialog"
      className={layout.fields}
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
          <ReviewTags account={userId} chosen={tags} onChange={setTags} />
        </Suspense>
      )}
      {!file && marks.marks.length > 0 && (
        <Suspense fallback={null}>
          <ReviewMarks marks={marks} busy={busy} />
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
