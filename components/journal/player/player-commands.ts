/** How far a skip goes, in seconds. */
const SKIP_SECONDS = 10;
/** The usual length of a frame; browsers don't expose the video's own frame rate. */
const FRAME_SECONDS = 1 / 30;

const clampTime = (video: HTMLVideoElement, seconds: number) =>
  Math.min(Math.max(seconds, 0), Number.isFinite(video.duration) ? video.duration : seconds);

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

/** Shows or hides the captions. @returns whether they're visible; false if there are none */
export function toggleCaptions(video: HTMLVideoElement): boolean {
  const track = video.textTracks[0];
  if (!track) return false;
  track.mode = track.mode === 'showing' ? 'disabled' : 'showing';
  return track.mode === 'showing';
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
