'use client';

import { X } from 'lucide';
import { type CSSProperties, useRef, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { showError } from '@/components/ui/show-error';
import { useListChanges } from '@/components/ui/use-list-changes';
import { call } from '@/lib/api/shared/client';
import type { Tag } from '@/lib/journal/tags/contract';
import { sortByName } from './filter-tags';
import { PALETTE } from './palette';
import { TagFields } from './tag-fields';

/** Offers colors for a new tag. */
function TagColorPicker({
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
        Pick a color for “<bdi>{tag.name}</bdi>”
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

/** Shows an entry's tags and lets people add, create and remove them. */
export function EntryTags({
  entryId,
  tags,
  categories,
}: {
  entryId: string;
  tags: readonly Tag[];
  /** Every tag of the account. */
  categories: readonly Tag[];
}) {
  const { items, put } = useListChanges(categories);
  const all = sortByName(items);
  /** The entry's tags as changed here; null until then. */
  const [changed, setChanged] = useState<readonly Tag[] | null>(null);
  const shown = changed ?? tags;
  const [announcement, announce] = useState('');
  /** The tag just created here, while its color picker is open. */
  const [newTag, setNewTag] = useState<Tag | null>(null);
  /** The latest list; null until it changes. Requests run one at a time, since each sends the whole list. */
  const wanted = useRef<readonly Tag[]>(null);
  const calls = useRef<Promise<unknown>>(Promise.resolve());
  const section = useRef<HTMLElement>(null);

  function changeTags(change: (before: readonly Tag[]) => readonly Tag[]) {
    wanted.current = sortByName(change(wanted.current ?? tags));
    setChanged(wanted.current);
  }

  function send(): Promise<void> {
    const sent = calls.current.then(async () => {
      const categories = (wanted.current ?? tags).map((tag) => tag.id);
      await call('POST /entry/:id/categories', { params: { id: entryId }, body: { categories } });
    });
    calls.current = sent.catch(() => undefined);
    return sent;
  }

  async function add(tag: Tag) {
    changeTags((before) => [...before, tag]);
    try {
      await send();
      announce(`${tag.name} added`);
    } catch (error) {
      changeTags((before) => before.filter((one) => one.id !== tag.id));
      showError(error);
    }
  }

  async function create(name: string) {
    const tag = await call('POST /category', { body: { category_name: name } });
    put(tag);
    setNewTag(tag);
    await add(tag);
  }

  function replaceTag(tag: Tag) {
    put(tag);
    changeTags((before) => before.map((one) => (one.id === tag.id ? tag : one)));
    setNewTag((before) => before && tag);
  }

  async function changeColor(tag: Tag, color: string) {
    replaceTag({ ...tag, color });
    try {
      await call('POST /bulk/category', { body: { categories: [{ ...tag, color }] } });
      announce(`Color of ${tag.name} changed`);
    } catch (error) {
      replaceTag(tag);
      showError(error);
    }
  }

  function remove(tag: Tag) {
    changeTags((before) => before.filter((one) => one.id !== tag.id));
    if (tag.id === newTag?.id) setNewTag(null);
    announce(`${tag.name} removed`);
    // The list stays as it is even if the request fails.
    send().catch(showError);
  }

  return (
    <section ref={section} aria-label="Tags" className="flex flex-wrap items-center gap-2">
      <TagFields
        tags={shown}
        all={all}
        onAdd={(tag) => {
          setNewTag(null);
          void add(tag);
        }}
        onCreate={create}
        onRemove={remove}
      />
      {newTag && (
        <TagColorPicker
          tag={newTag}
          onPick={(color) => void changeColor(newTag, color)}
          onClose={() => {
            setNewTag(null);
            section.current?.querySelector<HTMLElement>('[role=combobox]')?.focus();
          }}
        />
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </section>
  );
}
