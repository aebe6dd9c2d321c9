'use client';

import type { KeyboardEvent, ReactNode } from 'react';
import { keyOf } from '@/components/ui/key-of';
import { POPOVER, usePopover } from './popover';

function getMenuItems(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])')];
}

/**
 * A button that opens a menu (`children` are {@link MenuItem}s), following the ARIA menu button pattern: the arrow keys
 * wrap around, Home and End jump, and Escape or a press outside closes it and returns the focus.
 */
export function Menu({
  label,
  icon,
  text,
  children,
}: {
  label: string;
  icon: ReactNode;
  /** What stands beside the icon, if anything. The label must contain it. */
  text?: string;
  children: ReactNode;
}) {
  const popover = usePopover({ onOpen: (menu) => getMenuItems(menu)[0]?.focus() });

  function move(event: KeyboardEvent<HTMLElement>) {
    const all = getMenuItems(event.currentTarget);
    const here = all.indexOf(document.activeElement as HTMLElement);
    const key = keyOf(event);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1 + all.length, Home: 0, End: all.length - 1 }[key];
    if (key === 'Tab') popover.close();
    if (to === undefined) return;
    event.preventDefault();
    all[to % all.length]?.focus();
  }

  return (
    <>
      <button
        {...popover.button}
        aria-haspopup="menu"
        aria-label={label}
        onKeyDown={(event) => {
          if (keyOf(event) !== 'ArrowDown') return;
          event.preventDefault();
          popover.open();
        }}
        className={`rounded-pill text-ink-2 hover:bg-sunken hover:text-ink ${text ? 'inline-flex min-h-11 items-center gap-2 px-3.5 text-14 font-semibold' : 'grid size-11 place-items-center'}`}
      >
        {icon}
        {text}
      </button>
      <div
        {...popover.panel}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={move}
        onClick={popover.close}
        className={`${POPOVER} min-w-44 p-1.5`}
      >
        {children}
      </div>
    </>
  );
}

/** An action of a {@link Menu}. Selecting it closes the menu. */
export function MenuItem({
  onSelect,
  danger,
  children,
}: {
  onSelect: () => void;
  danger?: boolean;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      onClick={onSelect}
      className={`flex min-h-11 w-full items-center gap-2.5 rounded-8 px-3 text-left text-15 hover:bg-sunken focus-visible:bg-sunken focus-visible:-outline-offset-2 ${danger ? 'text-danger' : ''}`}
    >
      {children}
    </button>
  );
}
