import type { RefObject } from 'react';
import { useKeyboardShortcuts } from '@/components/ui/use-keyboard-shortcuts';
import { skip, stepFrame, toggleCaptions, toggleFullScreen, toggleMute, togglePlay } from './player-commands';

/** Elements that handle the space bar themselves. */
const PRESSABLE = `button, a, summary, video[controls], input, [role="group"][tabindex], [role="menu"], [role="dialog"]`;

/** Registers the player's shortcuts: K and Space, J, L, C, M, F, comma, period, ?. */
export function usePlayerShortcuts(
  video: RefObject<HTMLVideoElement | null>,
  box: RefObject<HTMLElement | null>,
  onHelp: () => void,
): void {
  useKeyboardShortcuts((key, focused) => {
    const player = video.current;
    if (!player) return;
    const commands: Record<string, () => void> = {
      k: () => togglePlay(player),
      j: () => skip(player, -1),
      l: () => skip(player, 1),
      c: () => void toggleCaptions(player),
      m: () => toggleMute(player),
      f: () => box.current && toggleFullScreen(box.current),
      ',': () => stepFrame(player, -1),
      '.': () => stepFrame(player, 1),
      '?': onHelp,
    };
    if (!focused.closest(PRESSABLE)) commands[' '] = () => togglePlay(player);
    return commands[key];
  });
}
