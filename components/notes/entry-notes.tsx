'use client';

import { useId, useRef, useState } from 'react';
import { formatDuration } from '@/components/entries/format-duration';
import { usePlayback } from '@/components/player/playback';
import { useCurrentSecond } from '@/components/player/use-media-state';
import { Button } from '@/components/ui/button';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import { TextAreaField } from '@/components/ui/text-area-field';
import { useDraft } from '@/components/ui/use-draft';
import type { Note } from '@/lib/notes/contract';
import { NoteItem } from './note-item';
import { useNotes } from './use-notes';

function CurrentTime() {
  const { video } = usePlayback();
  return <span className="tabular-nums">{formatDuration(useCurrentSecond(video))}</span>;
}

/** Shows a form for a new note and the entry's notes, newest first. */
export function EntryNotes({
  owner,
  entryId,
  notes: initial,
}: {
  /** The account. */
  owner: string;
  entryId: string;
  notes: readonly Note[];
}) {
  const { video, playFrom } = usePlayback();
  const { notes, deleted, post, edit, remove, undo } = useNotes(entryId, initial);
  const [draft, setDraft, addEarly] = useDraft(owner, `note:${entryId}`);
  const [atMoment, setAtMoment] = useState(false);
  const [posting, setPosting] = useState(false);
  const undoButton = useRef<HTMLButtonElement>(null);
  const early = usePrehydrationInput<HTMLTextAreaElement>((area) => addEarly(area.value));
  const moment = usePrehydrationInput<HTMLInputElement>((box) => setAtMoment(box.checked));
  const id = useId();
  const text = draft ?? '';

  async function submit() {
    if (!text.trim() || posting) return;
    setPosting(true);
    const posted = await post(text, atMoment ? (video.current?.currentTime ?? null) : null);
    setPosting(false);
    if (!posted) return;
    setDraft(null);
    setAtMoment(false);
  }

  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <h2 id={id} className="sr-only">
        Notes
      </h2>
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
            Attach at <CurrentTime />
          </label>
        </div>
      </form>
      <div role="status">
        {deleted && (
          <p className="flex items-center justify-between gap-3 rounded-12 bg-sunken py-1 pr-1 pl-4 text-14">
            Note deleted.
            <Button ref={undoButton} size="sm" variant="ghost" onClick={undo}>
              Undo
            </Button>
          </p>
        )}
      </div>
      {notes.length > 0 && (
        <ul className="flex flex-col gap-3 empty:hidden">
          {notes
            .filter((note) => note.id !== deleted?.id)
            .map((note) => (
              <NoteItem
                key={note.id}
                owner={owner}
                note={note}
                onPlay={playFrom}
                onSave={(changed) => edit(note.id, changed)}
                onDelete={() => {
                  remove(note);
                  // The focused button disappears with the note.
                  requestAnimationFrame(() => undoButton.current?.focus());
                }}
              />
            ))}
        </ul>
      )}
    </section>
  );
}
