import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { type EditorMove, readEditorMove } from './grid-keys';

/**
 * Edits the text of a cell. Enter and Tab save a valid text, Escape cancels, and leaving saves whatever was typed: the
 * row then says what's wrong with it.
 */
export function CellEditor({
  label,
  value,
  typed,
  maxLength,
  check,
  onSave,
  onInvalid,
  onCancel,
}: {
  label: string;
  value: string;
  /** What was typed to start editing, which replaces the value; null to keep it. */
  typed: string | null;
  maxLength: number;
  /** Returns what's wrong with a text; null if nothing. */
  check: (text: string) => string | null;
  onSave: (text: string, move: EditorMove) => void;
  onInvalid: (error: string) => void;
  onCancel: () => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  const [text, setText] = useState(typed ?? value);
  const [error, setError] = useState<string | null>(null);

  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true });
    if (typed === null) input.current?.select();
  }, [typed]);

  /** Ends editing once: a removed field loses the focus, too. */
  function end(then: () => void) {
    if (isDone.current) return;
    isDone.current = true;
    then();
  }

  function press(event: KeyboardEvent) {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      return end(onCancel);
    }
    const move = readEditorMove(event);
    if (!move) return;
    event.preventDefault();
    // An unchanged text may be left as it was.
    const wrong = text === value ? null : check(text);
    if (!wrong) return end(() => onSave(text, move));
    setError(wrong);
    onInvalid(wrong);
  }

  return (
    <>
      <input
        ref={input}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        autoComplete="off"
        maxLength={maxLength}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setError(null);
        }}
        onKeyDown={press}
        onBlur={() => end(() => onSave(text, null))}
        className="control px-2! text-15"
      />
      {error && (
        <p
          id={id}
          className="absolute top-full left-0 z-20 w-56 rounded-8 border border-line bg-surface p-2 text-13 text-danger shadow-lg"
        >
          {error}
        </p>
      )}
    </>
  );
}
