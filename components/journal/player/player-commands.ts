import type { RefObject } from 'react';
import { useKeyboardShortcuts } from '@/components/ui/use-keyboard-shortcuts';
import { usePlayback } from './playback';

/** How far a skip goes, in seconds. */
const SKIP_SECONDS = 10;
/** The usual length of a frame; browsers don't expose the video's own frame rate. */
const FRAME_SECONDS = 1 / 30;

const clampTime = (video: HTMLVideoElement, seconds: number) =>
  Math.min(Math.max(seconds, 0), Number.isFinite(video.duration) ? video.duration : seconds);

/**
 * Loads another file of the same video, and goes on at the same time and speed, playing or paused. Captions, which are no
 * part of the file, stay as they are.
 */
export function replaceSource(video: HTMLVideoElement, src: string): void {
  // Loading resets all of them.
  const { currentTime, paused, playbackRate } = video;
  video.src = src;
  video.playbackRate = playbackRate;
  if (currentTime > 0) video.currentTime = currentTime;
  if (!paused) video.play().catch(() => {});
}

export function togglePlay(video: HTMLVideoElement): void {
  // Rejected when the browser requires a user gesture; the controls then show a paused video.
  if (video.paused) video.play().catch(() => {});
  else video.pause();
}

/** Seeks to a time in seconds, clamped to the video. */
export function seek(video: HTMLVideoElement, seconds: number): void {
  video.currentTime = clampTime(video, seconds);
}

/** Skips 10 s forward or back. */
export function skip(video: HTMLVideoElement, direction: 1 | -1): void {
  seek(video, video.currentTime + direction * SKIP_SECONDS);
}

/** Pauses and shows the next or previous frame. */
export function stepFrame(video: HTMLVideoElement, direction: 1 | -1): void {
  video.pause();
  seek(video, video.currentTime + direction * FRAME_SECONDS);
}

/** Mutes or unmutes; raises a volume of zero. */
export function toggleMute(video: HTMLVideoElement): void {
  video.muted = !(video.muted || video.volume === 0);
  if (!video.muted && video.volume === 0) video.volume = 0.5;
}

/** Shows or hides the captions, if there are any. */
export function toggleCaptions(video: HTMLVideoElement): void {
  const track = video.textTracks[0];
  if (track) track.mode = track.mode === 'showing' ? 'disabled' : 'showing';
}

// Browsers reject both without a user gesture or a loaded video; nothing happens then.

export function togglePictureInPicture(video: HTMLVideoElement): void {
  const done = document.pictureInPictureElement
    ? document.exitPictureInPicture()
    : video.requestPictureInPicture();
  done.catch(() => {});
}

/** iPhones only fill the screen with a video, without our controls. */
type IphoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

/** @param box the video with its controls */
export function toggleFullScreen(box: HTMLElement): void {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  else if (box.requestFullscreen) box.requestFullscreen().catch(() => {});
  else box.querySelector<IphoneVideo>('video')?.webkitEnterFullscreen?.();
}

/** Elements that handle the space bar themselves. */
const PRESSABLE = `button, a, summary, video[controls], input, [role="group"][tabindex], [role="menu"], [role="dialog"]`;

/** Registers the player's shortcuts: K and Space, J, L, C, M, F, comma, period, ?. */
export function usePlayerShortcuts(box: RefObject<HTMLElement | null>, onHelp: () => void): void {
  const { video } = usePlayback();
  useKeyboardShortcuts((key, focused) => {
    const player = video.current;
    if (!player) return;
    const commands: Record<string, () => void> = {
      k: () => togglePlay(player),
      j: () => skip(player, -1),
      l: () => skip(player, 1),
      c: () => toggleCaptions(player),
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
