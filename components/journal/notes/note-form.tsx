import { useState } from 'react';
import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import { CurrentTime } from '@/components/journal/player/control-buttons';
import { usePlayback } from '@/components/journal/player/playback';
import { Button } from '@/components/ui/button';
import { TextAreaField } from '@/components/ui/field';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import { useDraft } from '@/components/ui/use-draft';
import { isBlank } from '@/lib/foundation/shared/clean-text';

/** Writes a new note. What's typed is a draft that survives a reload. */
export function NoteForm({
  owner,
  entryId,
  onPost,
}: OwnedEntry & {
  /** Resolves to whether the note was saved. The moment is in seconds. */
  onPost: (text: string, moment: number | null) => Promise<boolean>;
}) {
  const { video } = usePlayback();
  const [draft, setDraft, addEarly] = useDraft(owner, `note:${entryId}`);
  const [atMoment, setAtMoment] = useState(false);
  const [posting, setPosting] = useState(false);
  const early = usePrehydrationInput<HTMLTextAreaElement>((area) => addEarly(area.value));
  const moment = usePrehydrationInput<HTMLInputElement>((box) => setAtMoment(box.checked));
  const text = draft ?? '';

  async function submit() {
    if (isBlank(text) || posting) return;
    setPosting(true);
    const posted = await onPost(text, atMoment ? (video.current?.currentTime ?? null) : null);
    setPosting(false);
    if (!posted) return;
    setDraft(null);
    setAtMoment(false);
  }

  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      className="flex flex-col items-start gap-3"
    >
      <TextAreaField
        ref={early}
        label="Additional notes"
        className="w-full"
        maxLength={10_000}
        value={text}
        onChange={(event) => setDraft(event.target.value || null)}
      />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
        <Button type="submit" busy={posting}>
          Post Note
        </Button>
        <label className="flex min-h-11 items-center gap-2.5 text-14 text-ink-2">
          <input
            ref={moment}
            type="checkbox"
            checked={atMoment}
            onChange={(event) => setAtMoment(event.target.checked)}
            className="size-5 accent-accent"
          />
          Attach at{' '}
          <span className="tabular-nums">
            <CurrentTime />
          </span>
        </label>
      </div>
    </form>
  );
}
