'use client';

import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

const GAP = 6;

/**
 * Places a popover below or above its button, aligned with its right or left edge. Uses the other side if it doesn't fit.
 */
export function positionPopover(
  menu: HTMLElement,
  button: HTMLElement,
  side: 'below' | 'above' = 'below',
  edge: 'right' | 'left' = 'right',
) {
  const at = button.getBoundingClientRect();
  const below = at.bottom + GAP;
  const above = at.top - GAP - menu.offsetHeight;
  const goesBelow = side === 'above' ? above < GAP : below + menu.offsetHeight <= window.innerHeight;
  menu.style.top = `${goesBelow ? below : Math.max(GAP, above)}px`;
  const left = edge === 'right' ? at.right - menu.offsetWidth : at.left;
  menu.style.left = `${Math.max(GAP, Math.min(left, window.innerWidth - menu.offsetWidth - GAP))}px`;
}

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
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  function move(event: KeyboardEvent) {
    if (!menu.current) return;
    const all = getMenuItems(menu.current);
    const here = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1 + all.length, Home: 0, End: all.length - 1 }[
      event.key
    ];
    if (event.key === 'Tab') menu.current.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    all[to % all.length]?.focus();
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        aria-label={label}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          menu.current?.showPopover();
        }}
        className={`rounded-pill text-ink-2 hover:bg-sunken hover:text-ink ${text ? 'inline-flex min-h-11 items-center gap-2 px-3.5 text-14 font-semibold' : 'grid size-11 place-items-center'}`}
      >
        {icon}
        {text}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={move}
        onClick={() => menu.current?.hidePopover()}
        onToggle={(event) => {
          const opened = event.newState === 'open';
          setOpen(opened);
          if (!opened || !menu.current || !button.current) return;
          positionPopover(menu.current, button.current);
          getMenuItems(menu.current)[0]?.focus();
        }}
        className="fixed inset-auto m-0 max-w-[calc(100vw-12px)] min-w-44 rounded-12 border border-line bg-surface p-1.5 text-ink shadow-lg"
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
