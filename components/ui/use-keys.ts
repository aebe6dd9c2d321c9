import { useEffect, useRef } from 'react';
import { deviceSetting, setDeviceSetting } from './browser-storage';

const OFF = 'daylight-shortcuts-off';

/** The key that leads to the switch, so that it works whatever the switch says. */
const HELP = '?';

export const areShortcutsOff = () => deviceSetting(OFF) !== null;

/** Single keys must be possible to switch off: dictation types letters (WCAG 2.1.4). */
export const switchShortcuts = (off: boolean) => setDeviceSetting(OFF, off ? 'yes' : null);

const WRITING = 'input:not([type=checkbox], [type=range]), textarea, select, [contenteditable]';

/**
 * Single keys of a page, wherever the focus is but in a text or a dialog; never together with Ctrl, Meta or Alt.
 * @param commandOf what a key does here, in lower case, with what has the focus; undefined where nothing
 */
export function useKeys(commandOf: (key: string, focused: Element) => (() => void) | undefined): void {
  const latest = useRef(commandOf);
  useEffect(() => {
    latest.current = commandOf;
  });
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const focused = event.target instanceof Element ? event.target : document.body;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (focused.closest(WRITING) || document.querySelector('[role="dialog"]')) return;
      if (event.key !== HELP && areShortcutsOff()) return;
      const command = latest.current(event.key.toLowerCase(), focused);
      if (!command) return;
      event.preventDefault();
      command();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
