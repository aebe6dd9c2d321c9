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
