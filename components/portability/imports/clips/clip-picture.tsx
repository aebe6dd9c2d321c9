import pLimit from 'p-limit';
import { useEffect, useRef, useState } from 'react';
import { NoThumbnail } from '@/components/journal/entries/no-thumbnail';
import type { SourceFile } from '@/components/portability/imports/sources/source-file';

/** The size of a picture in pixels. */
const [WIDTH, HEIGHT] = [480, 270];
/** Cards that are scrolled past don't decode anything. Milliseconds. */
const SETTLE_MS = 150;
/** A video that takes longer has no picture. Milliseconds. */
const MAX_MS = 10_000;
/** Decoders need memory. */
const limit = pLimit(2);

/** Waits for a video's event. @throws if it can't be played, takes too long, or isn't needed anymore */
function untilEvent(video: HTMLVideoElement, type: 'loadedmetadata' | 'seeked', signal: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    video.addEventListener(type, () => resolve(), { once: true, signal });
    video.addEventListener('error', reject, { once: true, signal });
    signal.addEventListener('abort', reject, { once: true });
  });
}

/** Draws a video's first seconds, cropped to fill the canvas. @throws if this browser can't */
async function drawFrame(file: SourceFile, canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const url = URL.createObjectURL(await file.open());
  const video = document.createElement('video');
  try {
    video.muted = true;
    video.playsInline = true;
    const isLoaded = untilEvent(video, 'loadedmetadata', signal);
    video.src = url;
    await isLoaded;
    const isSeeked = untilEvent(video, 'seeked', signal);
    // Many videos fade in.
    video.currentTime = Math.min(1, video.duration / 2);
    await isSeeked;
    const { videoWidth, videoHeight } = video;
    const scale = Math.max(WIDTH / videoWidth, HEIGHT / videoHeight);
    const [width, height] = [videoWidth * scale, videoHeight * scale];
    const context = canvas.getContext('2d', { willReadFrequently: true });
    // Browsers may have the frame a little later than they say, and draw nothing until then.
    for (let isDrawn = false; context && !isDrawn; ) {
      await new Promise(requestAnimationFrame);
      signal.throwIfAborted();
      context.drawImage(video, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height);
      isDrawn = context.getImageData(WIDTH / 2, HEIGHT / 2, 1, 1).data[3] !== 0;
    }
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
}

/** Shows a frame of a clip from this device. A compressed member of a ZIP has none, since it'd be inflated whole. */
export function ClipPicture({ file }: { file: SourceFile }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isDrawn, setIsDrawn] = useState(false);
  useEffect(() => {
    if (!file.isPlain) return;
    const over = new AbortController();
    const draw = async () => {
      const late = setTimeout(() => over.abort(), MAX_MS);
      try {
        if (canvas.current) await drawFrame(file, canvas.current, over.signal);
        setIsDrawn(!over.signal.aborted);
      } catch {
        // What can't be played here can still be imported.
      }
      clearTimeout(late);
    };
    const timer = setTimeout(() => void limit(draw), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [file]);
  return (
    <>
      {!isDrawn && <NoThumbnail />}
      <canvas
        ref={canvas}
        width={WIDTH}
        height={HEIGHT}
        hidden={!isDrawn}
        className="size-full object-cover"
      />
    </>
  );
}
