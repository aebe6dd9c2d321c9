import { Video } from 'lucide';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { CountdownNumber, LivePreview } from './camera-picture';
import { FilePlayer } from './file-player';
import type { Layout } from './layouts/layouts';
import { LevelMeter } from './level-meter';
import type { StudioState } from './recorder-state';
import { RecordingTimer } from './recording-timer';

/** Shows the camera before and while recording, then the recorded or chosen video. */
export function VideoPreview({
  state: { camera, file },
  stream,
  captions,
  onLook,
  layout,
}: {
  state: StudioState;
  stream: MediaStream | null;
  /** What lies over the lower part of the picture while recording. */
  captions: ReactNode;
  /** Turns the camera on, to look before recording. */
  onLook: () => void;
  layout: Layout;
}) {
  const [upright, setUpright] = useState(false);
  const isRunning = camera.phase === 'recording' || camera.phase === 'stopping';
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
      <div className="grid size-full place-items-center content-center gap-4 p-6 text-center">
        <Icon of={Video} className="size-12 text-ink-3 max-sm:hidden" strokeWidth={1.25} aria-hidden="true" />
        <p className="max-w-[36ch] text-15 text-ink-2">
          Your camera is off. It turns on when you start recording.
        </p>
        {camera.phase === 'idle' && (
          <Button variant="secondary" size="sm" onClick={onLook}>
            See yourself first
          </Button>
        )}
      </div>
    );
  return (
    <div className={layout.picture} data-shape={finished && upright ? 'upright' : undefined}>
      {picture}
      {camera.phase === 'counting' && <CountdownNumber left={camera.left} />}
      {isRunning && captions}
      {isRunning && (
        <div className={layout.timer}>
          <RecordingTimer camera={camera} />
        </div>
      )}
      {stream && !finished && (
        <div className={layout.level}>
          <LevelMeter stream={stream} />
        </div>
      )}
    </div>
  );
}
