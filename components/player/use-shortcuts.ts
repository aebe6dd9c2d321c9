import { type RefObject, useEffect } from 'react';
import { recall, remember } from '@/components/ui/browser-storage';
import { jump, stepFrame, toggleCaptions, toggleFullScreen, toggleMute, togglePlay } from './player-commands';

const OFF = 'daylight-shortcuts-off';

export const areShortcutsOff = () => recall(OFF) !== null;

export const switchShortcuts = (off: boolean) => remember(OFF, off ? 'yes' : null);

const WRITING = 'input:not([type=checkbox], [type=range]), textarea, select, [contenteditable]';
/** What does something of its own with the space bar. */
const PRESSABLE = `button, a, summary, video[controls], input, [role="group"][tabindex], [role="menu"], [role="dialog"]`;

/** Single keys for the player, wherever the focus is but in a text: K and Space, J, L, C, M, F, comma, full stop, ?. */
export function useShortcuts(
  video: RefObject<HTMLVideoElement | null>,
  box: RefObject<HTMLElement | null>,
  onHelp: () => void,
): void {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const player = video.current;
      const target = event.target instanceof Element ? event.target : document.body;
      if (!player || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest(WRITING) || document.querySelector('[role="dialog"]')) return;
      if (event.key === '?') return onHelp();
      if (areShortcutsOff()) return;
      const commands: Record<string, () => void> = {
        k: () => togglePlay(player),
        j: () => jump(player, -1),
        l: () => jump(player, 1),
        c: () => void toggleCaptions(player),
        m: () => toggleMute(player),
        f: () => box.current && toggleFullScreen(box.current),
        ',': () => stepFrame(player, -1),
        '.': () => stepFrame(player, 1),
      };
      if (!target.closest(PRESSABLE)) commands[' '] = () => togglePlay(player);
      const command = commands[event.key.toLowerCase()];
      if (!command) return;
      event.preventDefault();
      command();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [video, box, onHelp]);
}
