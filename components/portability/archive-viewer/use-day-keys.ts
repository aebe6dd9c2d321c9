import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { moveDay } from './move-day';

/**
 * Moves the focus between days with the arrow keys. Each day with an entry is an element with `data-day` around a link.
 * @param days those with entries as `YYYY-MM-DD`, in order
 * @returns what the calendar's element needs, and the day whose link is the tab stop
 */
export function useDayKeys<Box extends HTMLElement>(days: readonly string[]) {
  const box: RefObject<Box | null> = useRef<Box>(null);
  const [last, setLast] = useState<string>();
  const focusedDay = (target: EventTarget) =>
    (target as Element).closest<HTMLElement>('[data-day]')?.dataset.day;
  return {
    tabStop: last !== undefined && days.includes(last) ? last : days.at(-1),
    calendar: {
      ref: box,
      onFocus: ({ target }: { target: EventTarget }) => setLast(focusedDay(target)),
      onKeyDown(event: KeyboardEvent) {
        const from = focusedDay(event.target);
        if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
        const to = moveDay(days, from, event.key);
        if (!to) return;
        event.preventDefault();
        box.current?.querySelector<HTMLElement>(`[data-day="${to}"] a`)?.focus();
      },
    },
  };
}
