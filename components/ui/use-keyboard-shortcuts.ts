import { useEffect, useRef } from 'react';
import { getDeviceSetting, setDeviceSetting } from './browser-storage';

const DISABLED_KEY = 'daylight-shortcuts-off';

/** The key that leads to the switch, so that it works whatever the switch says. */
const HELP_KEY = '?';

export const areShortcutsDisabled = () => getDeviceSetting(DISABLED_KEY) !== null;

/** Single keys must be possible to switch off: dictation types letters (WCAG 2.1.4). */
export const setShortcutsDisabled = (off: boolean) => setDeviceSetting(DISABLED_KEY, off ? 'yes' : null);

const EDITABLE_SELECTOR = 'input:not([type=checkbox], [type=range]), textarea, select, [contenteditable]';

/**
 * Single keys of a page, wherever the focus is but in a text or a dialog; never together with Ctrl, Meta or Alt.
 * @param getCommand what a key does here, in lower case, with what has the focus; undefined where nothing
 */
export function useKeyboardShortcuts(
  getCommand: (key: string, focused: Element) => (() => void) | undefined,
): void {
  const latest = useRef(getCommand);
  useEffect(() => {
    latest.current = getCommand;
  });
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const focused = event.target instanceof Element ? event.target : document.body;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (focused.closest(EDITABLE_SELECTOR) || document.querySelector('[role="dialog"]')) return;
      if (event.key !== HELP_KEY && areShortcutsDisabled()) return;
      const command = latest.current(event.key.toLowerCase(), focused);
      if (!command) return;
      event.preventDefault();
      command();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
