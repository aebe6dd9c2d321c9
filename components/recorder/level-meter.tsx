import { useEffect, useRef } from 'react';

const BARS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
/** Share of its height that a bar keeps in silence. */
const FLOOR = 0.16;

/** Shows that the microphone hears something, one bar a band of the voice; drawn outside React, once a frame. */
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
      className="flex h-9 items-end gap-0.5 rounded-pill bg-black/65 px-3.5 py-2"
    >
      {BARS.map((bar) => (
        <span
          key={bar}
          className="h-full w-1.5 origin-bottom rounded-pill bg-accent"
          style={{ transform: `scaleY(${FLOOR})` }}
        />
      ))}
    </div>
  );
}
