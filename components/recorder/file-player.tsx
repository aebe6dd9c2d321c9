import { useEffect, useRef, useState } from 'react';

/**
 * Plays a file that is still in the browser, with its sound.
 * @param onShape told whether the picture is upright, once that is known
 */
export function FilePlayer({
  file,
  label,
  className,
  onShape,
}: {
  file: File;
  label: string;
  className: string;
  onShape?: (upright: boolean) => void;
}) {
  const element = useRef<HTMLVideoElement>(null);
  const [unplayable, setUnplayable] = useState<File | null>(null);
  useEffect(() => {
    const video = element.current;
    if (!video) return;
    const url = URL.createObjectURL(file);
    video.src = url;
    return () => {
      // It lets go of the file first: an address that is taken away while it is read is an error in the console.
      video.removeAttribute('src');
      video.load();
      URL.revokeObjectURL(url);
    };
  }, [file]);
  if (unplayable === file)
    return (
      <p className={`grid place-items-center p-6 text-center text-15 text-ink-2 ${className}`}>
        This browser can’t play this video, but you can still upload it.
      </p>
    );
  return (
    // biome-ignore lint/a11y/useMediaCaption: captions come from the transcript, which does not exist yet
    <video
      ref={element}
      controls
      playsInline
      preload="metadata"
      aria-label={label}
      onLoadedMetadata={({ currentTarget: video }) => {
        onShape?.(video.videoHeight > video.videoWidth);
        // A recorder's WebM does not say how long it is: a look at its end tells, and makes it seekable.
        if (video.duration === Number.POSITIVE_INFINITY) {
          video.addEventListener('seeked', () => (video.currentTime = 0), { once: true });
          video.currentTime = 1e9;
        }
      }}
      onError={() => setUnplayable(file)}
      className={className}
    />
  );
}
