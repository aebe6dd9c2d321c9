import { X } from 'lucide';
import { useRef } from 'react';
import { Icon } from '@/components/ui/icon';
import { TagDot } from '@/components/ui/tag-dot';
import type { Tag } from '@/lib/journal/tags/contract';
import { TagPicker } from './tag-picker';

/** Shows tags that can be removed, and a field that adds more. Its parent lays them out as its own children. */
export function TagFields({
  tags,
  all,
  onAdd,
  onCreate,
  onRemove,
}: {
  tags: readonly Tag[];
  /** Every tag of the account. */
  all: readonly Tag[];
  onAdd: (tag: Tag) => void;
  /** Resolves to whether the tag was created. */
  onCreate: (name: string) => Promise<boolean>;
  onRemove: (tag: Tag) => void;
}) {
  const fields = useRef<HTMLDivElement>(null);

  function remove(tag: Tag) {
    const controls = [...(fields.current?.querySelectorAll<HTMLElement>('li button, input') ?? [])];
    const index = tags.indexOf(tag);
    // The focused button disappears: focus the next one, the previous one or the input.
    controls[index < tags.length - 1 || index === 0 ? index + 1 : index - 1]?.focus();
    onRemove(tag);
  }

  const ids = new Set(tags.map((tag) => tag.id));
  return (
    <div ref={fields} className="contents">
      {tags.length > 0 && (
        <ul className="contents">
          {tags.map((tag) => (
            <li
              key={tag.id}
              className="flex max-w-full items-center rounded-pill border border-line bg-surface pl-3"
            >
              <TagDot name={tag.name} color={tag.color} />
              <button
                type="button"
                aria-label={`Remove tag ${tag.name}`}
                onClick={() => remove(tag)}
                className="grid size-11 shrink-0 place-items-center rounded-pill text-ink-3 hover:text-ink"
              >
                <Icon of={X} className="size-4" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <TagPicker
        all={all}
        available={all.filter((tag) => !ids.has(tag.id))}
        onPick={onAdd}
        onCreate={onCreate}
      />
    </div>
  );
}
