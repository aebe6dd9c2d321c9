/** Seconds that a jump covers. */
const SKIP_SECONDS = 10;
/** The usual length of a frame; browsers do not tell the video's own. */
const FRAME_SECONDS = 1 / 30;

const clampTime = (video: HTMLVideoElement, seconds: number) =>
  Math.min(Math.max(seconds, 0), Number.isFinite(video.duration) ? video.duration : seconds);

export function togglePlay(video: HTMLVideoElement): void {
  // Refused when the browser wants another gesture first; the controls then show that it is paused.
  if (video.paused) video.play().catch(() => {});
  else video.pause();
}

/** Goes to a moment, or as near as there is one. Seconds. */
export function seek(video: HTMLVideoElement, seconds: number): void {
  video.currentTime = clampTime(video, seconds);
}

/** Goes 10 s on, or back. */
export function skip(video: HTMLVideoElement, direction: 1 | -1): void {
  seek(video, video.currentTime + direction * SKIP_SECONDS);
}

/** Stops and shows the next frame, or the one before. */
export function stepFrame(video: HTMLVideoElement, direction: 1 | -1): void {
  video.pause();
  seek(video, video.currentTime + direction * FRAME_SECONDS);
}

/** Silent or not; what was turned down to nothing is heard again. */
export function toggleMute(video: HTMLVideoElement): void {
  video.muted = !(video.muted || video.volume === 0);
  if (!video.muted && video.volume === 0) video.volume = 0.5;
}

/** Shows the captions, or hides them. @returns whether they are shown; false when there are none */
export function toggleCaptions(video: HTMLVideoElement): boolean {
  const track = video.textTracks[0];
  if (!track) return false;
  track.mode = track.mode === 'showing' ? 'disabled' : 'showing';
  return track.mode === 'showing';
}

// The browser refuses both where it wants another gesture first, or while nothing is loaded: then nothing happens.

export function togglePictureInPicture(video: HTMLVideoElement): void {
  const done = document.pictureInPictureElement
    ? document.exitPictureInPicture()
    : video.requestPictureInPicture();
  done.catch(() => {});
}

/** @param box what fills the screen: the video with its controls */
export function toggleFullScreen(box: HTMLElement): void {
  const done = document.fullscreenElement ? document.exitFullscreen() : box.requestFullscreen?.();
  done?.catch(() => {});
}
