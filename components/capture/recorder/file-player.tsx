import { useEffect, useRef, useState } from 'react';

/**
 * Plays a local file.
 * @param onShape called with whether the video is portrait, once known
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
      // Unload the file first: revoking a URL during a read logs an error to the console.
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
    // biome-ignore lint/a11y/useMediaCaption: captions come from the transcript, which doesn't exist yet
    <video
      ref={element}
      controls
      playsInline
      preload="metadata"
      aria-label={label}
      onLoadedMetadata={({ currentTarget: video }) => {
        onShape?.(video.videoHeight > video.videoWidth);
        // A recorder's WebM has no duration: seeking to its end finds it and makes the file seekable.
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
