import { X } from 'lucide';
import type { CSSProperties } from 'react';
import { Icon } from '@/components/ui/icon';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import type { Tag } from '@/lib/journal/tags/contract';
import { ColorInput } from './color-input';

/** Returns the relative luminance of `#RRGGBB` (WCAG 2.2). */
function luminance(color: string): number {
  const channel = (from: number) => {
    const value = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

/** Returns black or white, whichever contrasts more with a color; one of them always reaches at least 4.5. */
export function contrastColor(color: string): '#000000' | '#FFFFFF' {
  const light = luminance(color) + 0.05;
  return light / 0.05 >= 1.05 / light ? '#000000' : '#FFFFFF';
}

/** Renames, recolors or removes one tag. */
export function TagRow({
  tag,
  name,
  edited,
  clash,
  onChange,
  onRemove,
}: {
  tag: Tag;
  /** The saved name, which identifies the row to screen readers during an edit. */
  name: string;
  edited: boolean;
  clash: boolean;
  onChange: (tag: Tag) => void;
  onRemove: () => void;
}) {
  const early = usePrehydrationInput<HTMLInputElement>((input) => onChange({ ...tag, name: input.value }));
  return (
    <tr
      data-edited={edited || undefined}
      className={`border-t border-line @max-[36rem]:grid @max-[36rem]:grid-cols-[minmax(0,1fr)_auto] @max-[36rem]:items-center @max-[36rem]:gap-x-2 @max-[36rem]:gap-y-1 @max-[36rem]:py-3 ${edited ? 'bg-accent-soft' : ''}`}
    >
      <td className="min-w-0 @min-[36rem]:p-2">
        {/* In its color, with black or white text for contrast. */}
        <span
          dir="auto"
          className="tag-color inline-block max-w-full truncate rounded-pill px-3 py-1 align-middle text-14 font-semibold ring-1 ring-line-strong @min-[36rem]:max-w-40"
          style={{ '--tag': tag.color, '--tag-ink': contrastColor(tag.color) } as CSSProperties}
        >
          {tag.name || ' '}
        </span>
      </td>
      <td className="@max-[22rem]:col-span-2 @max-[36rem]:row-start-2 @min-[36rem]:p-2">
        <input
          ref={early}
          aria-label={`Title of ${name}`}
          dir="auto"
          aria-invalid={clash || undefined}
          maxLength={50}
          autoComplete="off"
          value={tag.name}
          onChange={(event) => onChange({ ...tag, name: event.target.value })}
          className="control min-w-28"
        />
      </td>
      <td className="@max-[22rem]:col-span-2 @max-[22rem]:row-start-3 @max-[36rem]:row-start-2 @min-[36rem]:p-2">
        <ColorInput
          name={`Background color of ${name}`}
          value={tag.color}
          onChange={(color) => onChange({ ...tag, color })}
        />
      </td>
      <td className="justify-self-end @min-[36rem]:p-2">
        <button
          type="button"
          aria-label={`Remove ${name}`}
          onClick={onRemove}
          className="grid size-11 place-items-center rounded-pill text-ink-2 hover:bg-sunken hover:text-danger"
        >
          <Icon of={X} className="size-5" aria-hidden="true" />
        </button>
      </td>
    </tr>
  );
}
