import { useEffect, useState } from 'react';
import type { Clip } from '@/components/portability/imports/sources/read-clips';

/** Plays a clip from this device. */
export function ClipPreview({ clip: { file } }: { clip: Clip }) {
  const [url, setUrl] = useState<string | null>(null);
  const [isUnplayable, setIsUnplayable] = useState(false);
  useEffect(() => {
    let created: string | null = null;
    let isOver = false;
    file.open().then(
      (video) => {
        if (isOver) return;
        created = URL.createObjectURL(video);
        setUrl(created);
      },
      () => setIsUnplayable(true),
    );
    return () => {
      isOver = true;
      if (created) URL.revokeObjectURL(created);
    };
  }, [file]);
  if (isUnplayable) {
    return (
      <p className="text-14 text-ink-2">
        This browser can’t play this video here. It can still be imported, and Daylight makes a copy that
        plays.
      </p>
    );
  }
  return (
    // biome-ignore lint/a11y/useMediaCaption: nothing has been transcribed yet
    <video
      src={url ?? undefined}
      controls
      playsInline
      className="aspect-video w-full rounded-12 bg-black"
      onError={() => url && setIsUnplayable(true)}
    />
  );
}
