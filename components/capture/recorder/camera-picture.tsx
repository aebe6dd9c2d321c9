import { useEffect, useRef } from 'react';
import { isRearCamera } from './devices';

/** Shows the countdown over the preview. */
export function CountdownNumber({ left }: { left: number }) {
  return (
    <div className="pointer-events-none absolute inset-0 grid place-items-center bg-black/35">
      <p
        key={left}
        aria-hidden="true"
        className="font-serif text-[120px] leading-none font-medium text-white tabular-nums text-shadow-lg motion-safe:transition-[opacity,scale] motion-safe:duration-200 motion-safe:ease-out motion-safe:starting:scale-125 motion-safe:starting:opacity-0 sm:text-[176px]"
      >
        {left}
      </p>
      <p role="status" className="sr-only">
        Recording starts in {left}
      </p>
    </div>
  );
}

/** Shows a camera, mirrored if it looks at the user. */
export function LivePreview({ stream }: { stream: MediaStream }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (element) element.srcObject = stream;
    return () => {
      if (element) element.srcObject = null;
    };
  }, [stream]);
  return (
    <video
      ref={video}
      muted
      autoPlay
      playsInline
      aria-label="Live preview"
      className={`size-full object-cover ${isRearCamera(stream) ? '' : '-scale-x-100'}`}
    />
  );
}

const BARS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
/** The height of a bar in silence, as a fraction. */
const FLOOR = 0.16;

/** Shows the microphone's level, one bar per frequency band; drawn outside React on every frame. */
export function LevelMeter({ stream }: { stream: MediaStream }) {
  const meter = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (stream.getAudioTracks().length === 0) return;
    const context = new AudioContext();
    const analyser = new AnalyserNode(context, { fftSize: 64, smoothingTimeConstant: 0.75 });
    context.createMediaStreamSource(stream).connect(analyser);
    const levels = new Uint8Array(analyser.frequencyBinCount);
    let frame = requestAnimationFrame(function draw() {
      analyser.getByteFrequencyData(levels);
      for (const [index, bar] of [...(meter.current?.children ?? [])].entries()) {
        const level = Math.max(FLOOR, (levels[index] ?? 0) / 255);
        (bar as HTMLElement).style.transform = `scaleY(${level})`;
      }
      frame = requestAnimationFrame(draw);
    });
    return () => {
      cancelAnimationFrame(frame);
      void context.close();
    };
  }, [stream]);
  return (
    <div
      ref={meter}
      aria-hidden="true"
      className="flex h-9 items-end gap-[3px] rounded-pill bg-black/65 px-4 py-2"
    >
      {BARS.map((bar) => (
        <span
          key={bar}
          className="h-full w-1 origin-bottom rounded-pill bg-accent"
          style={{ transform: `scaleY(${FLOOR})` }}
        />
      ))}
    </div>
  );
}
