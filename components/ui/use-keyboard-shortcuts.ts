import { useEffectEvent, useLayoutEffect } from 'react';
import { getDeviceSetting, setDeviceSetting } from './browser-storage';
import { keyOf } from './key-of';

const DISABLED_KEY = 'daylight-shortcuts-off';

/** Opens the list of shortcuts, where they're turned on and off. It works even while they're off. */
const HELP_KEY = '?';

export const areShortcutsDisabled = () => getDeviceSetting(DISABLED_KEY) !== null;

/** Turns single-key shortcuts off or on. Dictation types letters, so people must be able to turn them off (WCAG 2.1.4). */
export const setShortcutsDisabled = (off: boolean) => setDeviceSetting(DISABLED_KEY, off ? 'yes' : null);

/** Matches what text can be typed into, which has keys of its own. */
export const EDITABLE_SELECTOR =
  'input:not([type=checkbox], [type=range]), textarea, select, [contenteditable]';

/**
 * Handles a page's single-key shortcuts. Keys pressed in a text field or a dialog, or together with Ctrl, Meta or Alt,
 * are left alone.
 * @param getCommand returns what a key, as `keyOf` names it, does, given the focused element; undefined if nothing
 */
export function useKeyboardShortcuts(
  getCommand: (key: string, focused: Element) => (() => void) | undefined,
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const focused = event.target instanceof Element ? event.target : document.body;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (focused.closest(EDITABLE_SELECTOR) || document.querySelector('[role="dialog"]')) return;
    const key = keyOf(event);
    if (key !== HELP_KEY && areShortcutsDisabled()) return;
    const command = getCommand(key, focused);
    if (!command) return;
    event.preventDefault();
    command();
  });
  // Before the page is painted: someone who sees it may press a key at once.
  useLayoutEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
