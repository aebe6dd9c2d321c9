import { useEffect, useEffectEvent } from 'react';
import { EDITABLE_SELECTOR } from '@/components/ui/use-keyboard-shortcuts';

/** Undoes with Ctrl+Z or ⌘Z anywhere on the page, except in text fields and dialogs. */
export function useUndoKey(onUndo: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey);
    if (!isUndo || event.shiftKey || event.altKey || event.defaultPrevented) return;
    const focused = event.target instanceof Element ? event.target : document.body;
    if (focused.closest(EDITABLE_SELECTOR) || document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    onUndo();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
