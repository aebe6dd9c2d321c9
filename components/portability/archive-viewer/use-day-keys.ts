import { type KeyboardEvent, useRef, useState } from 'react';
import { keyOf } from '@/components/ui/key-of';

const DAY = 86_400_000;
const WEEK = 7 * DAY;

/** Returns the nearest day at least a week before or after a day; undefined if there's none. */
function weekAway(days: readonly string[], from: string, direction: 1 | -1): string | undefined {
  const day = new Date(Date.parse(from) + direction * WEEK).toISOString().slice(0, 10);
  return direction > 0 ? days.find((it) => it >= day) : days.findLast((it) => it <= day);
}

/**
 * Returns the day that a key moves to in a calendar: the arrows go to the next or previous day with an entry, or to one
 * at least a week away, and Home and End to the first and last.
 * @param days those with entries as `YYYY-MM-DD`, in order
 * @returns undefined for other keys, and at either end
 */
export function moveDay(days: readonly string[], from: string, key: string): string | undefined {
  switch (key) {
    case 'ArrowRight':
      return days.find((day) => day > from);
    case 'ArrowLeft':
      return days.findLast((day) => day < from);
    case 'ArrowDown':
      return weekAway(days, from, 1);
    case 'ArrowUp':
      return weekAway(days, from, -1);
    case 'Home':
      return days[0];
    case 'End':
      return days.at(-1);
  }
}

/**
 * Moves the focus between days with the arrow keys. Each day with an entry is an element with `data-day` around a link.
 * @param days those with entries as `YYYY-MM-DD`, in order
 * @returns what the calendar's element needs, and the day whose link is the tab stop
 */
export function useDayKeys(days: readonly string[]) {
  const box = useRef<HTMLDivElement>(null);
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
        const to = moveDay(days, from, keyOf(event));
        if (!to) return;
        event.preventDefault();
        box.current?.querySelector<HTMLElement>(`[data-day="${to}"] a`)?.focus();
      },
    },
  };
}
