import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import './transcript.css';
import type { Transcription } from '@/lib/journal/transcripts/contract';
import { matchTokens } from '@/lib/journal/transcripts/shared/match-tokens';
import type { Draft } from './transcript-draft';

const tokenize = (text: string) => text.split(/\s+/).filter(Boolean);

/** Returns in how many places a text's words differ from another's. Words changed side by side count once. */
export function countChanges(before: string, after: string): number {
  if (before === after) return 0;
  const [old, edited] = [tokenize(before), tokenize(after)];
  let changes = 0;
  let [lastOld, lastEdited] = [-1, -1];
  for (const [index, place] of [...matchTokens(old, edited), edited.length].entries()) {
    if (place < 0) continue;
    if (index !== lastOld + 1 || place !== lastEdited + 1) changes += 1;
    [lastOld, lastEdited] = [index, place];
  }
  return changes;
}

/** Says in how many places the text was changed, a moment after it was. */
function ChangeCount({ original, text }: { original: string; text: string }) {
  const settled = useDeferredValue(text);
  const changes = useMemo(() => countChanges(original, settled), [original, settled]);
  const said = changes === 0 ? 'No changes' : changes === 1 ? '1 change' : `${changes} changes`;
  return <p className="min-w-0 text-center text-15 font-semibold tabular-nums">{said}</p>;
}

/** A transcript as text to edit. It takes the focus. */
export function TranscriptForm({
  base,
  draft,
  onDraft,
  onSave,
  onCancel,
}: {
  /** The text before it was edited. */
  base: Draft & Pick<Transcription, 'language'>;
  draft: Draft | null;
  onDraft: (draft: Draft | null) => void;
  /** Resolves to whether the text was saved. */
  onSave: (text: string) => Promise<boolean>;
  onCancel: () => void;
}) {
  const [saving, setSaving] = useState(false);
  const { revision, language } = base;
  const text = draft?.text ?? base.text;
  async function save() {
    setSaving(true);
    if (!(await onSave(text))) setSaving(false);
  }
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      className="flex min-h-0 grow flex-col gap-3 pb-3 sm:px-4 sm:pb-4"
    >
      <div className="transcript-stays grid grid-cols-[1fr_auto_1fr] items-center gap-2 py-2 max-sm:-mx-4 max-sm:px-2 sm:-mx-4 sm:rounded-t-18 sm:px-3">
        <Button size="sm" variant="ghost" onClick={onCancel} className="justify-self-start">
          Cancel
        </Button>
        <ChangeCount original={base.text} text={text} />
        <Button type="submit" size="sm" busy={saving} className="justify-self-end">
          Save
        </Button>
      </div>
      <textarea
        dir="auto"
        ref={area}
        aria-label="Transcript text"
        aria-describedby="transcript-editing"
        spellCheck
        lang={language ?? undefined}
        value={text}
        onChange={({ target: { value } }) => onDraft(value === base.text ? null : { revision, text: value })}
        className="control min-h-72 grow min-[980px]:min-h-[420px] resize-y font-serif text-[18px] leading-[1.72] max-sm:-mx-2 max-sm:w-[calc(100%+1rem)] max-sm:px-2 max-sm:text-[19px] max-sm:leading-[1.68] max-sm:[field-sizing:content]"
      />
      <p id="transcript-editing" className="text-14 text-ink-3">
        Words you don’t change keep their timing.
      </p>
    </form>
  );
}
