import { type ReactNode, useState } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { noteElementId } from '@/components/journal/player/moment-notes';
import { Button } from '@/components/ui/button';
import { TextAreaField } from '@/components/ui/field';
import { useDraft } from '@/components/ui/use-draft';
import type { Note } from '@/lib/journal/notes/contract';

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const LINK =
  'inline-flex min-h-11 items-center rounded-8 px-2 text-14 text-ink-2 hover:bg-sunken hover:text-ink';

function NoteEditor({
  text,
  focused,
  onType,
  onSave,
  onCancel,
}: {
  text: string;
  /** Whether to move the focus to it. */
  focused: boolean;
  onType: (text: string) => void;
  onSave: (text: string) => Promise<void>;
  onCancel: () => void;
}) {
  const [saving, setSaving] = useState(false);
  async function save() {
    if (!text.trim()) return;
    setSaving(true);
    await onSave(text);
    setSaving(false);
  }
  return (
    <div className="flex flex-col gap-3">
      <TextAreaField
        label="Edit note"
        labelHidden
        autoFocus={focused}
        maxLength={10_000}
        value={text}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <div className="flex gap-2">
        <Button size="sm" busy={saving} onClick={() => void save()}>
          Save
        </Button>
        <Button size="sm" variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** Shows a note with its date and the moment in the video that it's about. */
export function NoteItem({
  owner,
  note,
  children,
  onPlay,
  onSave,
  onDelete,
}: {
  /** The account. */
  owner: string;
  note: Note;
  /** What to say about it, below. */
  children?: ReactNode;
  onPlay: (seconds: number) => void;
  /** Resolves to whether the note was saved. */
  onSave: (text: string) => Promise<boolean>;
  onDelete: () => void;
}) {
  const [opened, setOpened] = useState(false);
  const [draft, setDraft] = useDraft(owner, `note-edit:${note.id}`);
  const { moment } = note;
  function close() {
    setDraft(null);
    setOpened(false);
  }
  return (
    <li
      id={noteElementId(note.id)}
      className="rounded-12 border border-line bg-surface p-4 target:border-accent"
    >
      {opened || draft !== null ? (
        <NoteEditor
          text={draft ?? note.text}
          focused={opened}
          onType={(text) => {
            setOpened(true);
            setDraft(text === note.text ? null : text);
          }}
          onCancel={close}
          onSave={async (text) => {
            if (await onSave(text)) close();
          }}
        />
      ) : (
        <>
          <p className="break-words whitespace-pre-wrap">{note.text}</p>
          <div className="mt-1 -mb-2 flex flex-wrap items-center gap-x-1">
            {moment !== null && (
              <button
                type="button"
                aria-label={`Play from ${formatDuration(moment)}`}
                onClick={() => onPlay(moment)}
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
