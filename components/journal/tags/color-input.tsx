import { type CSSProperties, useId, useState } from 'react';
import { POPOVER, usePopover } from '@/components/ui/popover';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import { DEFAULT_TAG_COLOR } from '@/lib/journal/tags/shared/default-color';
import { PALETTE } from './palette';

const COMPLETE = /^#[0-9a-f]{6}$/i;

/** Drops everything that can't be part of `#RRGGBB`. */
const hexOnly = (typed: string) => `#${typed.replace(/[^0-9a-f]/gi, '').slice(0, 6)}`;

function Swatch({ color, className }: { color: string; className: string }) {
  return (
    <span
      className={`tag-color block rounded-pill ring-1 ring-line-strong ${className}`}
      style={{ '--tag': color } as CSSProperties}
    />
  );
}

/**
 * Edits a color with a palette or as text. The text accepts hex digits only and applies once it's complete; an
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
  const group = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const popover = usePopover();
  function type(input: HTMLInputElement) {
    const next = hexOnly(input.value);
    setTyped(next);
    if (COMPLETE.test(next)) onChange(next);
  }
  const text = usePrehydrationInput(type);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <button
        {...popover.button}
        aria-label={`Choose ${name}`}
        className="grid size-11 shrink-0 place-items-center rounded-12 border border-line-strong bg-surface hover:border-ink-2"
      >
        <Swatch color={value} className="size-6" />
      </button>
      <div {...popover.panel} className={`${POPOVER} p-1.5`}>
        <fieldset>
          <legend className="px-2 py-1.5 text-14 font-semibold">Color</legend>
          <div className="grid grid-cols-[repeat(7,44px)] max-[359px]:grid-cols-[repeat(5,44px)]">
            {[['White', DEFAULT_TAG_COLOR] as const, ...PALETTE].map(([title, color]) => (
              <label
                key={color}
                title={title}
                className="grid size-11 cursor-pointer place-items-center rounded-pill hover:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-focus"
              >
                <input
                  type="radio"
                  name={group}
                  aria-label={title}
                  checked={value.toUpperCase() === color}
                  onChange={() => onChange(color)}
                  className="peer sr-only"
                />
                <Swatch color={color} className="size-6 peer-checked:ring-3 peer-checked:ring-accent" />
              </label>
            ))}
          </div>
          <label className="flex min-h-11 cursor-pointer items-center gap-3 rounded-8 px-2 text-14 hover:bg-sunken">
            <input
              type="color"
              aria-label={`Pick ${name}`}
              value={value.toLowerCase()}
              onChange={(event) => onChange(event.target.value.toUpperCase())}
              className="size-7 shrink-0 cursor-pointer rounded-8 border border-line-strong bg-surface p-0.5"
            />
            Another color
          </label>
        </fieldset>
      </div>
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
