import { type FormEvent, useState } from 'react';
import { creatableName, filterTags, sortByName } from '@/components/journal/tags/filter-tags';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { keyOf } from '@/components/ui/key-of';
import { TagDot } from '@/components/ui/tag-dot';
import { isBlank } from '@/lib/foundation/shared/clean-text';
import type { Tag } from '@/lib/journal/tags/contract';
import { DEFAULT_TAG_COLOR } from '@/lib/journal/tags/shared/default-color';

/** A new tag has no id yet. */
const NEW = 'new:';
const newTag = (name: string): Tag => ({ id: NEW + name, name, color: DEFAULT_TAG_COLOR });

/** The ids of tags to add and remove, and the names of new tags to add. */
export interface TagChange {
  add: string[];
  remove: string[];
  create: string[];
}

/** One tag, checked if all entries have it, and half checked if only some do. */
function TagCheckbox({
  tag,
  had,
  count,
  wanted,
  onChange,
}: {
  tag: Tag;
  /** How many of the entries have it. */
  had: number;
  count: number;
  /** What was chosen here; undefined if it stays as it is. */
  wanted: boolean | undefined;
  onChange: (wanted: boolean | undefined) => void;
}) {
  const isMixed = wanted === undefined && had > 0 && had < count;
  const isChecked = wanted ?? had === count;

  /** A tag that some have goes from there to all, none, and back. */
  function toggle() {
    if (isMixed) return onChange(true);
    if (had === 0 || had === count) return onChange(wanted === undefined ? !isChecked : undefined);
    onChange(wanted ? false : undefined);
  }

  return (
    <label className="flex min-h-11 min-w-0 shrink-0 items-center gap-3 rounded-8 px-2 hover:bg-sunken">
      <input
        ref={(input) => {
          if (input) input.indeterminate = isMixed;
        }}
        type="checkbox"
        checked={isChecked}
        onChange={toggle}
        className="size-5 shrink-0 accent-accent"
      />
      <TagDot name={tag.name} color={tag.color} />
      {isMixed && (
        <span className="ml-auto shrink-0 text-13 text-ink-3 tabular-nums">
          {had} of {count}
        </span>
      )}
    </label>
  );
}

/**
 * Chooses tags to add and to remove, like labels in an email client.
 * @param saved every tag of the account; null until they're loaded
 * @param tagged the tags of each thing that's changed
 */
export function TagForm({
  saved,
  tagged,
  isBusy,
  onSubmit,
  onCancel,
}: {
  saved: readonly Tag[] | null;
  tagged: readonly (readonly Pick<Tag, 'id'>[])[];
  isBusy: boolean;
  onSubmit: (change: TagChange) => void;
  onCancel: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [created, setCreated] = useState<readonly Tag[]>([]);
  /** What was chosen, by the ids of tags. */
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map());
  const all = [...created, ...sortByName(saved ?? [])];
  const shown = filterTags(all, typed);
  const name = saved ? creatableName(all, typed) : '';
  /** A name that finds no tag can only be a new one's. Otherwise what's typed may have been to find one. */
  const typedNames = name && shown.length === 0 ? [name] : [];

  const want = (id: string, value: boolean | undefined) =>
    setWanted((before) => {
      const next = new Map(before);
      if (value === undefined) next.delete(id);
      else next.set(id, value);
      return next;
    });

  function create() {
    const tag = newTag(name);
    setCreated((before) => [tag, ...before]);
    want(tag.id, true);
    setTyped('');
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const chosen = (value: boolean) => [...wanted].flatMap(([id, is]) => (is === value ? [id] : []));
    const add = chosen(true);
    onSubmit({
      add: add.filter((id) => !id.startsWith(NEW)),
      remove: chosen(false),
      create: [...add.flatMap((id) => (id.startsWith(NEW) ? id.slice(NEW.length) : [])), ...typedNames],
    });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="Find or create a tag"
        autoComplete="off"
        maxLength={50}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (keyOf(event) !== 'Enter' || isBlank(typed)) return;
          // It would save, before the typed name is a tag.
          event.preventDefault();
          if (name) create();
        }}
      />
      {/* Without a width of its own, so that a long name doesn’t widen the dialog. */}
      <fieldset className="flex max-h-[40dvh] w-0 min-w-full flex-col overflow-y-auto">
        <legend className="sr-only">Tags</legend>
        {saved === null && <p role="status">Loading...</p>}
        {shown.map((tag) => (
          <TagCheckbox
            key={tag.id}
            tag={tag}
            had={tagged.filter((tags) => tags.some(({ id }) => id === tag.id)).length}
            count={tagged.length}
            wanted={wanted.get(tag.id)}
            onChange={(value) => want(tag.id, value)}
          />
        ))}
      </fieldset>
      {name && (
        <Button variant="secondary" onClick={create}>
          {/* Its parts would be items of the button, with gaps. */}
          <span>
            Create “<bdi>{name}</bdi>”
          </span>
        </Button>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy} disabled={wanted.size + typedNames.length === 0}>
          Save
        </Button>
        <Button variant="secondary" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
