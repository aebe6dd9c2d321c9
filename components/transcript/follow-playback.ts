/**
 * Reports the moment that is on screen, in seconds: with every frame where the browser tells frames, and with
 * `timeupdate` and `seeked` everywhere, which also serve videos that show no new frames.
 * @returns how to stop
 */
export function followPlayback(video: HTMLVideoElement, onTime: (seconds: number) => void): () => void {
  const now = () => onTime(video.currentTime);
  video.addEventListener('timeupdate', now);
  video.addEventListener('seeked', now);
  let frame = 0;
  if ('requestVideoFrameCallback' in video) {
    frame = video.requestVideoFrameCallback(function shown(_, { mediaTime }) {
      onTime(mediaTime);
      frame = video.requestVideoFrameCallback(shown);
    });
  }
  if (video.currentTime > 0) now();
  return () => {
    video.removeEventListener('timeupdate', now);
    video.removeEventListener('seeked', now);
    if (frame) video.cancelVideoFrameCallback(frame);
  };
}
