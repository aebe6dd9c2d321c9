import { useState } from 'react';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';

const COMPLETE = /^#[0-9a-f]{6}$/i;

/** Drops everything that can't be part of `#RRGGBB`. */
const hexOnly = (typed: string) => `#${typed.replace(/[^0-9a-f]/gi, '').slice(0, 6)}`;

/**
 * Edits a color with a picker or as text. The text accepts hex digits only and applies once it's complete; an
 * incomplete one reverts on blur.
 * @param name the accessible name
 */
export function ColorInput({
  name,
  value,
  onChange,
}: {
  name: string;
  value: string;
  onChange: (color: string) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const pick = (input: HTMLInputElement) => onChange(input.value.toUpperCase());
  function type(input: HTMLInputElement) {
    const next = hexOnly(input.value);
    setTyped(next);
    if (COMPLETE.test(next)) onChange(next);
  }
  const picker = usePrehydrationInput(pick);
  const text = usePrehydrationInput(type);
  return (
    <span className="flex items-center gap-2">
      <input
        ref={picker}
        type="color"
        aria-label={`Pick ${name}`}
        value={value.toLowerCase()}
        onChange={(event) => pick(event.target)}
        className="size-11 shrink-0 cursor-pointer rounded-12 border border-line-strong bg-surface p-1"
      />
      <input
        ref={text}
        aria-label={name}
        spellCheck={false}
        autoComplete="off"
        value={typed ?? value}
        onChange={(event) => type(event.target)}
        onBlur={() => setTyped(null)}
        className="control w-28! tabular-nums"
      />
    </span>
  );
}
