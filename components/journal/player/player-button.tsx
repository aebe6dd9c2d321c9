import type { ComponentProps } from 'react';

/** Renders an icon button of the player, with its name as a tooltip on hover and focus. */
export function PlayerButton({
  label,
  keys,
  className = '',
  ...rest
}: { label: string /** The keyboard shortcut, a single key. */; keys?: string } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-keyshortcuts={keys}
      data-tooltip={keys ? `${label} (${keys})` : label}
      {...rest}
      className={`player-tool relative grid size-11 shrink-0 place-items-center rounded-pill text-ink hover:bg-ink/10 aria-pressed:bg-ink/15 aria-pressed:text-accent-ink ${className}`}
    />
  );
}
