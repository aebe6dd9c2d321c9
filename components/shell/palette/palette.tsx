import { Content, Overlay, Portal, Root, Title } from '@radix-ui/react-dialog';
import { Search } from 'lucide';
import Link from 'next/link';
import { type ComponentProps, type KeyboardEvent, type MouseEvent, useId, useRef, useState } from 'react';
import { EntryDate } from '@/components/journal/entries/entry-date';
import { entryHref } from '@/components/journal/entries/entry-href';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { MarkedText } from '@/components/journal/search/marked-text';
import { Group } from '@/components/ui/group';
import { Icon } from '@/components/ui/icon';
import { keyOf } from '@/components/ui/key-of';
import { useCombobox } from '@/components/ui/use-combobox';
import { localToday } from '@/lib/journal/entries/shared/calendar';
import type { SearchResult } from '@/lib/journal/search/contract';
import { ASK_DATE, type Command, findCommands, findDays } from './commands';
import { useQuickSearch } from './use-quick-search';

const MODES = {
  all: { placeholder: 'Search, or go somewhere', label: 'Search or go to' },
  date: { placeholder: 'Nov 18, 11/18/2026, or yesterday', label: 'Go to date' },
};

const OPTION =
  'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-12 px-3 py-2 text-left text-15 text-ink -outline-offset-2 aria-selected:bg-accent-soft aria-selected:text-accent-ink';

/**
 * One thing to choose. What opens a page is a link, so that it can be opened in another tab, and so that a recording asks
 * before it's left.
 */
function PaletteOption({
  href,
  onPoint,
  onChoose,
  ...option
}: Pick<ComponentProps<'button'>, 'id' | 'aria-selected' | 'children'> & {
  href: string | null;
  onPoint: () => void;
  onChoose: () => void;
}) {
  const shared = {
    ...option,
    role: 'option',
    tabIndex: -1,
    // The focus stays in the text box, whose keys move through the list.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onPointerMove: option['aria-selected'] ? undefined : onPoint,
    onClick: onChoose,
    className: OPTION,
  };
  return href === null ? (
    <button type="button" {...shared} />
  ) : (
    <Link href={href} prefetch={false} {...shared} />
  );
}

function CommandText({ label, detail, icon }: Command) {
  return (
    <>
      <Icon of={icon} className="size-5 shrink-0 opacity-70" aria-hidden="true" />
      <span className="min-w-0 truncate font-semibold">{label}</span>
      {detail && <span className="ml-auto shrink-0 text-13 text-ink-2">{detail}</span>}
    </>
  );
}

function ResultText({ result: { title, date, language, matches } }: { result: SearchResult }) {
  const [best] = matches;
  return (
    <span className="flex min-w-0 grow flex-col gap-0.5">
      <span className="flex min-w-0 items-baseline gap-3">
        <span dir="auto" className="truncate font-semibold">
          {title}
        </span>
        <span className="ml-auto shrink-0 text-13 text-ink-2 tabular-nums">
          <EntryDate date={date} />
          {best && <span>{` · ${formatDuration(best.start_time)}`}</span>}
        </span>
      </span>
      {best && (
        <span dir="auto" lang={language ?? undefined} className="line-clamp-2 font-serif text-15 text-ink-2">
          <MarkedText {...best} />
        </span>
      )}
    </span>
  );
}

/** Returns where a result opens: the moment that matches, or the entry. */
const hrefOf = (result: SearchResult): string => {
  const [best] = result.matches;
  return best ? `${entryHref(result)}?t=${best.start_time}` : entryHref(result);
};

function PaletteList({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [mode, setMode] = useState<keyof typeof MODES>('all');
  const [query, setQuery] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const results = useQuickSearch(mode === 'all' ? query : '');
  const today = localToday();
  const commands = mode === 'all' ? findCommands(query, today) : findDays(query, today);
  const count = commands.length + results.length;
  const combobox = useCombobox(count, {
    start: 0,
    onChoose: () => list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.click(),
  });

  function ask(next: keyof typeof MODES) {
    setMode(next);
    setQuery('');
    combobox.reset();
  }

  function move(event: KeyboardEvent) {
    if (keyOf(event) === 'Backspace' && query === '' && mode === 'date') ask('all');
    combobox.onKeyDown(event);
  }

  const option = (index: number, command?: Command) => ({
    ...combobox.option(index),
    onPoint: () => combobox.point(index),
    onChoose: command?.id === ASK_DATE.id ? () => ask('date') : onClose,
  });

  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-5">
        <Icon of={Search} className="size-5 shrink-0 text-ink-2" aria-hidden="true" />
        <input
          {...combobox.input}
          role="combobox"
          aria-expanded="true"
          aria-label={MODES[mode].label}
          placeholder={MODES[mode].placeholder}
          dir="auto"
          value={query}
          spellCheck={false}
          maxLength={500}
          onChange={(event) => {
            setQuery(event.target.value);
            combobox.reset();
          }}
          onKeyDown={move}
          className="h-16 min-w-0 grow bg-transparent font-serif text-20 text-ink outline-none placeholder:text-ink-3"
        />
        <kbd className="hidden font-sans text-13 text-ink-3 sm:block">Esc</kbd>
      </div>
      <div
        ref={list}
        {...combobox.list}
        role="listbox"
        aria-label={MODES[mode].label}
        tabIndex={-1}
        className="max-h-[min(60dvh,480px)] overflow-y-auto p-2"
      >
        {commands.map((command, index) => (
          <PaletteOption key={command.id} href={command.href} {...option(index, command)}>
            <CommandText {...command} />
          </PaletteOption>
        ))}
        {results.length > 0 && (
          <Group aria-labelledby={`${id}-entries`}>
            <p id={`${id}-entries`} className="px-3 pt-3 pb-1 text-13 font-semibold text-ink-3">
              Entries
            </p>
            {results.map((result, index) => (
              <PaletteOption key={result.id} href={hrefOf(result)} {...option(commands.length + index)}>
                <ResultText result={result} />
              </PaletteOption>
            ))}
          </Group>
        )}
      </div>
      <p role="status" className={count > 0 ? 'sr-only' : 'px-5 pb-5 text-15 text-ink-2'}>
        {count > 0 ? `${count} choices` : 'Type a date, such as 11/18/2026, “nov 18”, or “yesterday”.'}
      </p>
    </>
  );
}

/** A dialog in which everything can be reached by typing: pages, actions, days, and moments of entries. */
export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  // There's no Radix trigger, so the focus is returned by hand.
  const opener = useRef<Element>(null);
  return (
    <Root open={open} onOpenChange={onOpenChange}>
      <Portal>
        <Overlay className="overlay fixed inset-0 z-40 grid items-start justify-items-center overflow-y-auto bg-black/55 px-4 py-[min(12vh,7rem)]">
          <Content
            className="panel w-full max-w-[640px] overflow-hidden rounded-18 border border-line bg-surface text-ink [overflow-wrap:anywhere] shadow-2xl focus:outline-none"
            aria-describedby={undefined}
            onOpenAutoFocus={() => {
              opener.current = document.activeElement;
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (opener.current instanceof HTMLElement) opener.current.focus();
            }}
            onEscapeKeyDown={(event) => {
              if (keyOf(event) !== 'Escape') event.preventDefault();
            }}
          >
            <Title className="sr-only">Search and actions</Title>
            <PaletteList onClose={() => onOpenChange(false)} />
          </Content>
        </Overlay>
      </Portal>
    </Root>
  );
}
