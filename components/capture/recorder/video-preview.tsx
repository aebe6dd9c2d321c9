import { Mic, Video } from 'lucide';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { CountdownNumber, LevelMeter, LivePreview } from './camera-picture';
import { CameraSwitch } from './camera-switch';
import { Captions } from './captions/captions';
import { FilePlayer } from './file-player';
import { RecordingTimer } from './recording-timer';
import type { StudioModel } from './use-studio';

/** Shows the camera before and while recording, then the recorded or chosen video. */
export function VideoPreview({ studio }: { studio: StudioModel }) {
  const { camera, file, recording, stream, captions, recorder, layout } = studio;
  const [upright, setUpright] = useState(false);
  const isRunning = camera.phase === 'recording' || camera.phase === 'stopping';
  const finished = file ?? recording?.file;
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
        <Icon
          of={recorder.isCameraOff ? Mic : Video}
          className="size-12 text-ink-3 max-sm:hidden"
          strokeWidth={1.25}
          aria-hidden="true"
        />
        <p className="max-w-[36ch] text-15 text-ink-2">
          {recorder.isCameraOff
            ? 'Your camera stays off. We record your voice, with a quiet picture.'
            : 'Your camera is off. It turns on when you start recording.'}
        </p>
        {camera.phase === 'idle' && !recorder.isCameraOff && (
          <Button variant="secondary" size="sm" onClick={() => void recorder.look()}>
            See yourself first
          </Button>
        )}
      </div>
    );
  return (
    <div className={layout.picture} data-shape={finished && upright ? 'upright' : undefined}>
      {picture}
      {camera.phase === 'counting' && <CountdownNumber left={camera.left} />}
      {isRunning && <Captions captions={captions} className={layout.captions} />}
      {isRunning && (
        <div className={layout.timer}>
          <RecordingTimer camera={camera} />
        </div>
      )}
      {stream && !finished && !recorder.isCameraOff && (
        <div className={layout.level}>
          <LevelMeter stream={stream} />
        </div>
      )}
      {!finished && <CameraSwitch studio={studio} />}
    </div>
  );
}
