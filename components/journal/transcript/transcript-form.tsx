import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { countChanges } from './count-changes';
import './transcript.css';

/** Says in how many places the text was changed, a moment after it was. */
function ChangeCount({ original, text }: { original: string; text: string }) {
  const settled = useDeferredValue(text);
  const changes = useMemo(() => countChanges(original, settled), [original, settled]);
  const said = changes === 0 ? 'No changes' : changes === 1 ? '1 change' : `${changes} changes`;
  return <p className="min-w-0 text-center text-15 font-semibold tabular-nums">{said}</p>;
}

/** A transcript as text to edit. It takes the focus. */
export function TranscriptForm({
  original,
  text,
  language,
  saving,
  onType,
  onSave,
  onCancel,
}: {
  /** The text before it was edited. */
  original: string;
  text: string;
  /** BCP 47, or null while unknown. */
  language: string | null;
  saving: boolean;
  onType: (text: string) => void;
  onSave: () => void;
  onCancel: () => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
      className="flex min-h-0 grow flex-col gap-3 pb-3 sm:px-4 sm:pb-4"
    >
      <div className="transcript-stays grid grid-cols-[1fr_auto_1fr] items-center gap-2 py-2 max-sm:-mx-4 max-sm:px-2 sm:-mx-4 sm:rounded-t-18 sm:px-3">
        <Button size="sm" variant="ghost" onClick={onCancel} className="justify-self-start">
          Cancel
        </Button>
        <ChangeCount original={original} text={text} />
        <Button type="submit" size="sm" busy={saving} className="justify-self-end">
          Save
        </Button>
      </div>
      <textarea
        ref={area}
        aria-label="Transcript text"
        aria-describedby="transcript-editing"
        spellCheck
        lang={language ?? undefined}
        value={text}
        onChange={(event) => onType(event.target.value)}
        className="control min-h-72 grow min-[980px]:min-h-[420px] resize-y font-serif text-[18px] leading-[1.72] max-sm:-mx-2 max-sm:w-[calc(100%+1rem)] max-sm:px-2 max-sm:text-[19px] max-sm:leading-[1.68] max-sm:[field-sizing:content]"
      />
      <p id="transcript-editing" className="text-14 text-ink-3">
        Words you don’t change keep their timing.
      </p>
    </form>
  );
}
