import { X } from 'lucide';
import { Icon } from '@/components/ui/icon';
import type { Tag } from '@/lib/tags/contract';

/** Distinguishable in both themes and with most kinds of color blindness. */
const COLORS = [
  ['Coral', '#F28482'],
  ['Amber', '#F6BD60'],
  ['Moss', '#84A98C'],
  ['Sea', '#2A9D8F'],
  ['Sky', '#7FB7E6'],
  ['Plum', '#9D7AA0'],
  ['Clay', '#B08968'],
  ['Slate', '#6C757D'],
] as const;

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
      {COLORS.map(([name, color]) => (
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
            className="size-6 rounded-pill ring-1 ring-line-strong group-hover:ring-2 group-aria-pressed:ring-3 group-aria-pressed:ring-accent"
            style={{ backgroundColor: color }}
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
