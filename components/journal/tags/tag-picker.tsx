import { Plus } from 'lucide';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import { TagDot } from '@/components/ui/tag-dot';
import type { Tag } from '@/lib/journal/tags/contract';
import { creatableName, filterTags } from './filter-tags';

/** The smallest gap between the list and the window's edge, in pixels. */
const MARGIN = 16;

/** How long the list stays open after blur; fixed by the specification. */
const CLOSE_DELAY_MS = 200;

/** Shifts the list left if it would overflow the window. */
function keepInViewport(list: HTMLElement): void {
  list.style.left = '0';
  const past = list.getBoundingClientRect().right + MARGIN - document.documentElement.clientWidth;
  list.style.left = `${-Math.max(0, past)}px`;
}

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
  const id = useId();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pressing = useRef(false);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => () => clearTimeout(closing.current), []);
  useEffect(() => {
    const press = ({ type }: Event) => {
      pressing.current = type === 'pointerdown';
    };
    const events = ['pointerdown', 'pointerup', 'pointercancel'];
    for (const event of events) addEventListener(event, press, true);
    return () => {
      for (const event of events) removeEventListener(event, press, true);
    };
  }, []);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  const name = onCreate ? creatableName(all, typed) : '';
  const choices: Choice[] = filterTags(available, typed).map((tag) => ({ key: tag.id, tag }));
  if (name) choices.push({ key: 'create', create: name });
  const expanded = open && choices.length > 0;
  useLayoutEffect(() => {
    if (!expanded) return;
    const refit = () => list.current && keepInViewport(list.current);
    refit();
    window.addEventListener('resize', refit);
    return () => window.removeEventListener('resize', refit);
  }, [expanded]);

  function show() {
    clearTimeout(closing.current);
    setOpen(true);
  }

  function type({ value }: HTMLInputElement) {
    setTyped(value);
    setActive(-1);
    show();
  }
  const input = usePrehydrationInput(type);

  function close() {
    setOpen(false);
    setActive(-1);
  }

  /** Waits for a press to end: closing the list could scroll the page and move the pressed element away. */
  function closeSoon() {
    closing.current = setTimeout(() => (pressing.current ? closeSoon() : close()), CLOSE_DELAY_MS);
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

  function key(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const last = choices.length - 1;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const from = expanded ? active : -1;
      const to = from < 0 && step < 0 ? last : from + step;
      show();
      setActive(to < 0 ? last : to > last ? 0 : to);
    } else if (event.key === 'Enter' && expanded) {
      event.preventDefault();
      // A full name selects its tag without arrow keys, and so does a single match.
      const exact = choices.find((choice) => choice.tag?.name.toLowerCase() === typed.trim().toLowerCase());
      const only = typed.trim() && choices.length === 1 ? choices[0] : undefined;
      selectChoice(choices[active] ?? exact ?? only);
    } else if (event.key === 'Escape') {
      if (!expanded) setTyped('');
      close();
    }
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
        role="combobox"
        aria-label="Add tag"
        aria-expanded={expanded}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={expanded && active >= 0 ? `${id}-${active}` : undefined}
        placeholder="Add tag"
        autoComplete="off"
        maxLength={50}
        value={typed}
        onChange={(event) => type(event.target)}
        onFocus={show}
        onClick={show}
        onBlur={closeSoon}
        onKeyDown={key}
        className="control w-36! rounded-pill! pl-9! text-14 sm:w-44!"
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Tags to add"
        hidden={!expanded}
        className="absolute top-full left-0 z-20 mt-1.5 max-h-66 w-64 max-w-[calc(100vw-32px)] overflow-y-auto rounded-12 border border-line bg-surface p-1.5 shadow-lg"
      >
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys
          <div
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
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
