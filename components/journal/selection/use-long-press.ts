import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

/** How long a touch lasts until it's a long press, in milliseconds; browsers open their own menu at about the same time. */
const LONG_PRESS_MS = 500;
/** How far a finger may move meanwhile, in pixels. */
const MAX_MOVE = 10;

/**
 * Calls back on a long press with a finger or pen, in place of the browser's menu for links.
 * @returns handlers for the element; `consumeClick` says of each click whether it belongs to a press that was handled
 */
export function useLongPress(onLongPress: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef<{ x: number; y: number } | null>(null);
  const isHandled = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  function cancel() {
    clearTimeout(timer.current);
    start.current = null;
  }

  function fire() {
    if (!start.current) return;
    cancel();
    isHandled.current = true;
    onLongPress();
  }

  return {
    consumeClick(): boolean {
      const wasHandled = isHandled.current;
      isHandled.current = false;
      return wasHandled;
    },
    handlers: {
      onPointerDown({ pointerType, isPrimary, clientX, clientY }: PointerEvent) {
        cancel();
        isHandled.current = false;
        if (pointerType === 'mouse' || !isPrimary) return;
        start.current = { x: clientX, y: clientY };
        timer.current = setTimeout(fire, LONG_PRESS_MS);
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        const from = start.current;
        if (from && Math.hypot(clientX - from.x, clientY - from.y) > MAX_MOVE) cancel();
      },
      onPointerUp: cancel,
      onPointerCancel: cancel,
      // Most long presses end without a click. The next one may be the keyboard's.
      onKeyDown() {
        isHandled.current = false;
      },
      onContextMenu(event: MouseEvent) {
        if (!start.current && !isHandled.current) return;
        event.preventDefault();
        fire();
      },
    },
  };
}
