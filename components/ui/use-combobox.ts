import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { keyOf } from './key-of';

/**
 * Returns what a text field and the list of its choices need for the ARIA combobox pattern: the focus stays in the field,
 * the arrow keys go through the choices and wrap around, and Enter chooses.
 * @param count how many choices there are
 * @param options.start the choice that's active at first; -1 for none
 * @param options.onOpen is called by an arrow key, which also opens the list
 * @param options.onChoose gets the index of the active choice; -1 if none is
 */
export function useCombobox(
  count: number,
  {
    isOpen = true,
    start,
    onOpen,
    onChoose,
  }: { isOpen?: boolean; start: 0 | -1; onOpen?: () => void; onChoose: (index: number) => void },
) {
  const id = useId();
  const [chosen, setActive] = useState<number>(start);
  const active = isOpen ? Math.min(chosen, count - 1) : -1;
  const optionId = (index: number) => `${id}-${index}`;
  const activeId = active >= 0 ? optionId(active) : undefined;
  const isByKey = useRef(false);
  useEffect(() => {
    // Under a pointer, nothing may move.
    if (activeId && isByKey.current) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  function onKeyDown(event: KeyboardEvent) {
    const key = keyOf(event);
    if ((key === 'ArrowDown' || key === 'ArrowUp') && count > 0) {
      event.preventDefault();
      const next = key === 'ArrowDown' ? active + 1 : Math.max(active, 0) - 1 + count;
      isByKey.current = true;
      setActive(next % count);
      onOpen?.();
    } else if (key === 'Enter' && isOpen) {
      event.preventDefault();
      onChoose(active);
    }
  }

  return {
    /** Makes the choice active that a pointer is at. */
    point: (index: number) => {
      isByKey.current = false;
      setActive(index);
    },
    /** Makes the choice active that is at first. */
    reset: () => setActive(start),
    onKeyDown,
    input: {
      autoComplete: 'off',
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list',
      'aria-activedescendant': activeId,
    },
    list: { id: `${id}-list` },
    option: (index: number) => ({ id: optionId(index), 'aria-selected': index === active }),
  } as const;
}
