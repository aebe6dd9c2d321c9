import { Video } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CountdownNumber } from './countdown-number';
import { isRearCamera } from './devices';
import { FilePlayer } from './file-player';
import { LevelMeter } from './level-meter';
import type { StudioState } from './recorder-state';
import { RecordingTimer } from './recording-timer';

function LivePreview({ stream }: { stream: MediaStream }) {
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

/** The picture: live while recording, then what was recorded or chosen, with its sound. */
export function VideoPreview({
  state: { camera, file },
  stream,
  prompt,
}: {
  state: StudioState;
  stream: MediaStream | null;
  prompt: string;
}) {
  const [upright, setUpright] = useState(false);
  const recorded = camera.phase === 'recorded' ? camera.recording.file : null;
  const finished = file ?? recorded;
  let picture: ReactNode;
  if (finished)
    picture = (
      <FilePlayer
        file={finished}
        label={file ? 'Chosen video' : 'Recorded video'}
        className="size-full object-contain"
        onShape={setUpright}
      />
    );
  else if (stream) picture = <LivePreview stream={stream} />;
  else
    picture = (
      <div className="grid size-full place-items-center text-ink-3">
        <Video className="size-16" strokeWidth={1.25} aria-hidden="true" />
      </div>
    );
  const shape = finished && !upright ? 'aspect-video' : 'aspect-[3/4] max-h-[70dvh] w-full sm:aspect-video';
  return (
    <div className={`relative overflow-hidden rounded-18 bg-surface ring-1 ring-line ${shape}`}>
      {picture}
      {camera.phase === 'counting' && <CountdownNumber left={camera.left} />}
      {!finished && prompt && (
        <p className="pointer-events-none absolute inset-x-0 top-0 bg-linear-to-b from-black/75 to-transparent px-6 pt-6 pb-16 text-center font-serif text-[22px] leading-tight font-medium text-balance text-white sm:text-[30px]">
          {prompt}
        </p>
      )}
      {stream && !finished && (
        <div className="absolute inset-x-4 bottom-4 flex items-end justify-end gap-3 sm:inset-x-5 sm:bottom-5">
          {(camera.phase === 'recording' || camera.phase === 'stopping') && (
            <div className="mr-auto">
              <RecordingTimer camera={camera} />
            </div>
          )}
          <LevelMeter stream={stream} />
        </div>
      )}
    </div>
  );
}
