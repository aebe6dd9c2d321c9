import { useState } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { noteElementId } from '@/components/journal/player/moment-notes';
import { usePlayback } from '@/components/journal/player/playback';
import { Button } from '@/components/ui/button';
import type { Elements } from '@/components/ui/elements';
import { TextAreaField } from '@/components/ui/field';
import { keyOf } from '@/components/ui/key-of';
import { useDraft } from '@/components/ui/use-draft';
import { isBlank } from '@/lib/foundation/shared/clean-text';
import type { Note } from '@/lib/journal/notes/contract';

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const LINK =
  'inline-flex min-h-11 items-center rounded-8 px-2 text-14 text-ink-2 hover:bg-sunken hover:text-ink';

/** Shows a note with its date and the moment in the video that it's about. */
export function NoteItem({
  owner,
  note,
  children,
  onSave,
  onDelete,
}: {
  /** The account. */
  owner: string;
  note: Note;
  /** What to say about it, below. */
  children?: Elements;
  /** Resolves to whether the note was saved. */
  onSave: (text: string) => Promise<boolean>;
  onDelete: () => void;
}) {
  const [opened, setOpened] = useState(false);
  const [draft, setDraft] = useDraft(owner, `note-edit:${note.id}`);
  const [saving, setSaving] = useState(false);
  const { playFrom } = usePlayback();
  const { moment } = note;
  const text = draft ?? note.text;
  function close() {
    setDraft(null);
    setOpened(false);
  }
  async function save() {
    if (isBlank(text)) return;
    setSaving(true);
    if (await onSave(text)) close();
    setSaving(false);
  }
  return (
    <li
      id={noteElementId(note.id)}
      className="rounded-12 border border-line bg-surface p-4 target:border-accent"
    >
      {opened || draft !== null ? (
        <div className="flex flex-col gap-3">
          <TextAreaField
            label="Edit note"
            labelHidden
            autoFocus={opened}
            maxLength={10_000}
            value={text}
            onChange={({ target }) => {
              setOpened(true);
              setDraft(target.value === note.text ? null : target.value);
            }}
            onKeyDown={(event) => keyOf(event) === 'Escape' && close()}
          />
          <div className="flex gap-2">
            <Button size="sm" busy={saving} onClick={() => void save()}>
              Save
            </Button>
            <Button size="sm" variant="secondary" onClick={close}>
              Cancel
            </Button>
          </div>
        </div>
      ) : (
        <>
          <p dir="auto" className="break-words whitespace-pre-wrap">
            {note.text}
          </p>
          <div className="mt-1 -mb-2 flex flex-wrap items-center gap-x-1">
            {moment !== null && (
              <button
                type="button"
                aria-label={`Play from ${formatDuration(moment)}`}
                onClick={() => playFrom(moment)}
                className={`${LINK} -ml-2 text-accent-ink tabular-nums`}
              >
                {formatDuration(moment)}
              </button>
            )}
            <time dateTime={note.createdAt} className="mr-auto text-13 text-ink-3">
              {dateFormat.format(new Date(note.createdAt))}
            </time>
            <button type="button" onClick={() => setOpened(true)} className={LINK}>
              Edit<span className="sr-only"> note</span>
            </button>
            <button type="button" onClick={onDelete} className={LINK}>
              Delete<span className="sr-only"> note</span>
            </button>
          </div>
        </>
      )}
      {children}
    </li>
  );
}
