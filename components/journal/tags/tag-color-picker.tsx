import { X } from 'lucide';
import type { CSSProperties } from 'react';
import { Icon } from '@/components/ui/icon';
import type { Tag } from '@/lib/journal/tags/contract';
import { PALETTE } from './palette';

/** Offers colors for a new tag. */
export function TagColorPicker({
  tag,
  onPick,
  onClose,
}: {
  tag: Tag;
  onPick: (color: string) => void;
  onClose: () => void;
}) {
  return (
    <fieldset className="flex w-full flex-wrap items-center gap-x-1 rounded-12 border border-line bg-surface py-1 pr-1 pl-4">
      <legend className="sr-only">Color of {tag.name}</legend>
      <span className="mr-2 min-w-0 truncate text-14 text-ink-2" aria-hidden="true">
        Pick a color for “{tag.name}”
      </span>
      {PALETTE.map(([name, color]) => (
        <button
          key={color}
          type="button"
          aria-label={name}
          title={name}
          aria-pressed={tag.color === color}
          onClick={() => onPick(color)}
          className="group grid size-11 place-items-center rounded-pill"
        >
          <span
            className="tag-color size-6 rounded-pill ring-1 ring-line-strong group-hover:ring-2 group-aria-pressed:ring-3 group-aria-pressed:ring-accent"
            style={{ '--tag': color } as CSSProperties}
          />
        </button>
      ))}
      <button
        type="button"
        aria-label="Done choosing a color"
        onClick={onClose}
        className="ml-auto grid size-11 place-items-center rounded-pill text-ink-3 hover:text-ink"
      >
        <Icon of={X} className="size-4" aria-hidden="true" />
      </button>
    </fieldset>
  );
}
