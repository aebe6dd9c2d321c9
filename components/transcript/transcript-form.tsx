import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';

/** A transcript as text to edit. It takes the focus. */
export function TranscriptForm({
  text,
  language,
  saving,
  onType,
  onSave,
  onCancel,
  children,
}: {
  text: string;
  /** BCP 47, or null while unknown. */
  language: string | null;
  saving: boolean;
  onType: (text: string) => void;
  onSave: () => void;
  onCancel: () => void;
  /** What to say above it. */
  children?: ReactNode;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
      className="flex min-h-0 grow flex-col gap-3 p-3 sm:p-4"
    >
      {children}
      <textarea
        ref={area}
        aria-label="Transcript text"
        aria-describedby="transcript-editing"
        spellCheck
        lang={language ?? undefined}
        value={text}
        onChange={(event) => onType(event.target.value)}
        className="control min-h-72 grow resize-y font-serif text-[18px] leading-[1.72]"
      />
      <p id="transcript-editing" className="text-14 text-ink-3">
        Words you don’t change keep their timing.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" busy={saving}>
          Save
        </Button>
        <Button size="sm" variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
