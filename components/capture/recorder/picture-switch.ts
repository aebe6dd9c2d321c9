/**
 * MediaStreamTrack Insertable Media Processing using Streams (W3C), in the form that Chromium has had since 94. Other
 * browsers have no such thing, or none for a page.
 */
declare global {
  interface Window {
    MediaStreamTrackProcessor?: new (init: {
      track: MediaStreamTrack;
    }) => {
      readable: ReadableStream<VideoFrame>;
    };
    MediaStreamTrackGenerator?: new (init: {
      kind: 'video';
    }) => MediaStreamTrack & { writable: WritableStream<VideoFrame> };
  }
}

/** Returns whether the picture can be replaced while it's recorded. */
export const canSwitchPicture = (): boolean =>
  'MediaStreamTrackProcessor' in window && 'MediaStreamTrackGenerator' in window;

/**
 * Passes frames on until the source ends or is replaced, which doesn't end the recording. Each frame that isn't passed on
 * is closed: `pipeTo` leaves the one at hand to the garbage collector, which Chromium reports as an error.
 */
async function passFrames(
  source: ReadableStream<VideoFrame>,
  writer: WritableStreamDefaultWriter<VideoFrame>,
  signal: AbortSignal,
): Promise<void> {
  const reader = source.getReader();
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  for (;;) {
    const { value: frame } = await reader.read();
    if (!frame) return;
    try {
      if (!signal.aborted) await writer.write(frame);
    } finally {
      // The recorder has a reference of its own.
      frame.close();
    }
  }
}

/**
 * Creates a video track that shows another one, and can show others later. MediaRecorder records the same tracks from its
 * start to its end.
 * @returns null if this browser has no such tracks
 */
export function createPictureSwitch(first: MediaStreamTrack) {
  const { MediaStreamTrackProcessor, MediaStreamTrackGenerator } = window;
  if (!MediaStreamTrackProcessor || !MediaStreamTrackGenerator) return null;
  const track = new MediaStreamTrackGenerator({ kind: 'video' });
  const writer = track.writable.getWriter();
  let present = new AbortController();
  let piped: Promise<void> = Promise.resolve();

  function show(source: MediaStreamTrack): void {
    present.abort();
    present = new AbortController();
    const { signal } = present;
    const earlier = piped;
    piped = earlier.then(async () => {
      if (signal.aborted || !MediaStreamTrackProcessor) return;
      const { readable } = new MediaStreamTrackProcessor({ track: source });
      await passFrames(readable, writer, signal).catch(() => {});
    });
  }
  show(first);
  return {
    track,
    /** Shows another track instead. From then on, nothing of the one before is recorded. */
    show,
    /** Ends the track. */
    stop(): void {
      present.abort();
      track.stop();
    },
  };
}
