import { Plus } from 'lucide';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { keepBeside } from '@/components/ui/place-beside';
import { POPOVER } from '@/components/ui/popover';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import { TagDot } from '@/components/ui/tag-dot';
import { useCombobox } from '@/components/ui/use-combobox';
import type { Tag } from '@/lib/journal/tags/contract';
import { creatableName, filterTags } from './filter-tags';

/** How long the list stays open after blur; fixed by the specification. */
const CLOSE_DELAY_MS = 200;

interface Choice {
  key: string;
  tag?: Tag;
  create?: string;
}

/**
 * Picks a tag by part of its name, following the ARIA combobox pattern: arrows move, Enter selects, Escape closes.
 * @param all every tag of the account, so that no name is offered twice
 * @param available the tags to offer
 * @param onCreate resolves to whether the tag was created; without it, none can be created here
 */
export function TagPicker({
  all,
  available,
  onPick,
  onCreate,
}: {
  all: readonly Tag[];
  available: readonly Tag[];
  onPick: (tag: Tag) => void;
  onCreate?: (name: string) => Promise<boolean>;
}) {
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => () => clearTimeout(closing.current), []);

  const name = onCreate ? creatableName(all, typed) : '';
  const choices: Choice[] = filterTags(available, typed).map((tag) => ({ key: tag.id, tag }));
  if (name) choices.push({ key: 'create', create: name });
  const expanded = open && choices.length > 0;
  const combobox = useCombobox(choices.length, {
    isOpen: expanded,
    start: -1,
    onOpen: show,
    onChoose: (index) => {
      // A full name selects its tag without arrow keys, and so does a single match.
      const exact = choices.find((choice) => choice.tag?.name.toLowerCase() === typed.trim().toLowerCase());
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
    const isCreated = await onCreate?.(typedName);
    if (!isCreated) setTyped((now) => now || typedName);
  }

  function selectChoice(choice: Choice | undefined) {
    if (!choice) return;
    if (choice.tag) onPick(choice.tag);
    else if (choice.create) void create(choice.create);
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
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
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
            key={choice.key}
            {...combobox.option(index)}
            role="option"
            tabIndex={-1}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => selectChoice(choice)}
            className="flex min-h-11 cursor-pointer items-center rounded-8 px-3 text-14 hover:bg-sunken aria-selected:bg-accent-soft aria-selected:text-accent-ink"
          >
            {choice.tag ? (
              <TagDot name={choice.tag.name} color={choice.tag.color} />
            ) : (
              <span className="truncate">Create “{choice.create}”</span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
