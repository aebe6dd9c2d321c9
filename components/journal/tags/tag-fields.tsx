import { Plus, X } from 'lucide';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { keyOf } from '@/components/ui/key-of';
import { keepBeside } from '@/components/ui/place-beside';
import { POPOVER } from '@/components/ui/popover';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import { showError } from '@/components/ui/show-error';
import { TagDot } from '@/components/ui/tag-dot';
import { useCombobox } from '@/components/ui/use-combobox';
import type { Tag } from '@/lib/journal/tags/contract';
import { creatableName, filterTags } from './filter-tags';

/** How long the list stays open after blur; fixed by the specification. */
const CLOSE_DELAY_MS = 200;

/**
 * Picks a tag by part of its name, following the ARIA combobox pattern: arrows move, Enter selects, Escape closes.
 * @param all every tag of the account, so that no name is offered twice
 * @param available the tags to offer
 * @param onCreate rejects if the tag can't be created, which is shown
 */
function TagPicker({
  all,
  available,
  onPick,
  onCreate,
}: {
  all: readonly Tag[];
  available: readonly Tag[];
  onPick: (tag: Tag) => void;
  onCreate: (name: string) => Promise<unknown>;
}) {
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => () => clearTimeout(closing.current), []);

  const found = filterTags(available, typed);
  /** The name of a tag to create; '' for none. It's the last choice. */
  const name = creatableName(all, typed);
  const choices: (Tag | string)[] = name ? [...found, name] : found;
  const expanded = open && choices.length > 0;
  const combobox = useCombobox(choices.length, {
    isOpen: expanded,
    start: -1,
    onOpen: show,
    onChoose: (index) => {
      // A full name selects its tag without arrow keys, and so does a single match.
      const exact = found.find((tag) => tag.name.toLowerCase() === typed.trim().toLowerCase());
      const only = typed.trim() && choices.length === 1 ? choices[0] : undefined;
      selectChoice(choices[index] ?? exact ?? only);
    },
  });

  function show() {
    clearTimeout(closing.current);
    setOpen(true);
  }

  function type({ value }: HTMLInputElement) {
    setTyped(value);
    combobox.reset();
    show();
  }
  const input = usePrehydrationInput(type);
  useLayoutEffect(() => {
    const [popover, control] = [list.current, input.current];
    if (!expanded || !popover || !control) return;
    popover.showPopover();
    const stop = keepBeside(popover, control, { edge: 'left' });
    return () => {
      stop();
      popover.hidePopover();
    };
  }, [expanded, input]);

  function close() {
    setOpen(false);
    combobox.reset();
  }

  /** What was typed stays if no tag was made of it. */
  async function create(typedName: string) {
    try {
      await onCreate(typedName);
    } catch (error) {
      showError(error);
      setTyped((now) => now || typedName);
    }
  }

  function selectChoice(choice: Tag | string | undefined) {
    if (!choice) return;
    if (typeof choice === 'string') void create(choice);
    else onPick(choice);
    setTyped('');
    close();
  }

  return (
    <div className="relative">
      <Icon
        of={Plus}
        className="pointer-events-none absolute top-3.5 left-3 size-4 text-ink-2"
        aria-hidden="true"
      />
      <input
        ref={input}
        {...combobox.input}
        role="combobox"
        aria-expanded={expanded}
        aria-label="Add tag"
        placeholder="Add tag"
        maxLength={50}
        value={typed}
        onChange={(event) => type(event.target)}
        onFocus={show}
        onClick={show}
        onBlur={() => {
          closing.current = setTimeout(close, CLOSE_DELAY_MS);
        }}
        onKeyDown={(event) => {
          combobox.onKeyDown(event);
          if (keyOf(event) !== 'Escape') return;
          if (!expanded) setTyped('');
          close();
        }}
        className="control w-36! rounded-pill! pl-9! text-14 sm:w-44!"
      />
      <div
        ref={list}
        {...combobox.list}
        role="listbox"
        popover="manual"
        aria-label="Tags to add"
        className={`${POPOVER} max-h-66 w-64 overflow-y-auto p-1.5`}
      >
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys
          <div
            key={typeof choice === 'string' ? 'create' : choice.id}
            {...combobox.option(index)}
            role="option"
            tabIndex={-1}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => selectChoice(choice)}
            className="flex min-h-11 cursor-pointer items-center rounded-8 px-3 text-14 hover:bg-sunken aria-selected:bg-accent-soft aria-selected:text-accent-ink"
          >
            {typeof choice === 'string' ? (
              <span className="truncate">
                Create “<bdi>{choice}</bdi>”
              </span>
            ) : (
              <TagDot name={choice.name} color={choice.color} />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

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
  /** Rejects if the tag can't be created, which is shown. */
  onCreate: (name: string) => Promise<unknown>;
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
