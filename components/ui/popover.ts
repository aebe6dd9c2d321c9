import { type FocusEvent, type ToggleEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { keepBeside, type Placement, placeBeside } from './place-beside';

/** How popovers look. */
export const POPOVER = 'fixed inset-auto m-0 rounded-12 border border-line bg-surface text-ink shadow-lg';

/**
 * Returns what a button and its popover need. The browser opens it, in the top layer, also before this code has loaded, and
 * closes it on Escape and on a press outside; then the button gets the focus back. It also closes once the focus leaves it.
 * @param onOpen is called once it's open, for instance to move the focus
 */
export function usePopover<Panel extends HTMLElement = HTMLDivElement>({
  side = 'below',
  edge = 'right',
  onOpen,
}: Placement & { onOpen?: (panel: Panel) => void } = {}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<Panel>(null);
  const close = () => panel.current?.hidePopover();

  useLayoutEffect(() => {
    if (isOpen && panel.current && button.current)
      return keepBeside(panel.current, button.current, { side, edge });
  }, [isOpen, side, edge]);

  return {
    isOpen,
    open: () => panel.current?.showPopover(),
    close,
    button: {
      ref: button,
      type: 'button',
      popoverTarget: id,
      'aria-expanded': isOpen,
      'aria-controls': id,
    },
    panel: {
      ref: panel,
      id,
      popover: 'auto',
      onToggle: ({ newState }: ToggleEvent<Panel>) => {
        setOpen(newState === 'open');
        if (newState !== 'open' || !panel.current || !button.current) return;
        placeBeside(panel.current, button.current, { side, edge });
        onOpen?.(panel.current);
      },
      onBlur: ({ relatedTarget }: FocusEvent<Panel>) => {
        // Null if another window has the focus, or nothing.
        const isInside = relatedTarget === button.current || panel.current?.contains(relatedTarget);
        if (relatedTarget && !isInside) close();
      },
    },
  } as const;
}
