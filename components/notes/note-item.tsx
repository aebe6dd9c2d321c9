import { useState } from 'react';
import { formatDuration } from '@/components/entries/format-duration';
import { Button } from '@/components/ui/button';
import { TextAreaField } from '@/components/ui/text-area-field';
import type { Note } from '@/lib/notes/contract';

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const LINK =
  'inline-flex min-h-11 items-center rounded-8 px-2 text-14 text-ink-2 hover:bg-sunken hover:text-ink';

function NoteEditor({
  note,
  onSave,
  onCancel,
}: {
  note: Note;
  onSave: (text: string) => Promise<void>;
  onCancel: () => void;
}) {
  const [text, setText] = useState(note.text);
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
        autoFocus
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
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
  note,
  onPlay,
  onSave,
  onDelete,
}: {
  note: Note;
  onPlay: (seconds: number) => void;
  /** Resolves to whether the note was saved. */
  onSave: (text: string) => Promise<boolean>;
  onDelete: () => void;
}) {
  const [editing, setEditing] = useState(false);
  const { moment } = note;
  return (
    <li className="rounded-12 border border-line bg-surface p-4">
      {editing ? (
        <NoteEditor
          note={note}
          onCancel={() => setEditing(false)}
          onSave={async (text) => {
            if (await onSave(text)) setEditing(false);
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
            <button type="button" onClick={() => setEditing(true)} className={LINK}>
              Edit<span className="sr-only"> note</span>
            </button>
            <button type="button" onClick={onDelete} className={LINK}>
              Delete<span className="sr-only"> note</span>
            </button>
          </div>
        </>
      )}
    </li>
  );
}
