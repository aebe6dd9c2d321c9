import { Circle, Pause, Play, Settings2, Square, SwitchCamera } from 'lucide';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Elements } from '@/components/ui/elements';
import { Icon } from '@/components/ui/icon';
import { keyOf } from '@/components/ui/key-of';
import { DevicePicker } from './device-picker';
import { canFlipCamera } from './devices';
import { MarkButton } from './mark-button';
import { LiveUploadStatus } from './notices';
import type { StudioModel } from './use-studio';

/** Shows the buttons during a countdown, which Escape cancels too. */
function CountdownButtons({ studio: { recorder, layout } }: { studio: StudioModel }) {
  const { skip, cancel, flip } = recorder;
  const [canFlip, setCanFlip] = useState(false);
  useEffect(() => {
    void navigator.mediaDevices.enumerateDevices().then((devices) => setCanFlip(canFlipCamera(devices)));
  }, []);
  // Runs before the first paint, so that Escape works as soon as the buttons show.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => keyOf(event) === 'Escape' && cancel();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [cancel]);
  return (
    <>
      <Button size="lg" variant="rec" className={layout.primary} onClick={skip}>
        Skip countdown
      </Button>
      <Button size="lg" variant="secondary" onClick={cancel}>
        Cancel
      </Button>
      {canFlip && (
        <Button size="lg" variant="secondary" onClick={flip}>
          <Icon of={SwitchCamera} className="size-5" aria-hidden="true" />
          Switch camera
        </Button>
      )}
    </>
  );
}

function RecordingButtons({ studio }: { studio: StudioModel }) {
  const { camera, file, recording, recorder, layout } = studio;
  const start = () => void recorder.start(recording);
  const upload = (
    <Button key="upload" size="lg" onClick={studio.upload}>
      Upload Video
    </Button>
  );
  if (file) return upload;
  const isPaused = camera.phase === 'recording' && camera.paused;
  switch (camera.phase) {
    case 'idle':
    case 'asking':
      return (
        <>
          <Button size="lg" variant="rec" busy={camera.phase === 'asking'} onClick={start}>
            {camera.phase === 'idle' && (
              <Icon of={Circle} className="size-3 fill-current" aria-hidden="true" />
            )}
            <span>Start Recording</span>
          </Button>
          {camera.phase === 'asking' && camera.late && (
            <Button size="lg" variant="secondary" onClick={recorder.cancel}>
              Cancel
            </Button>
          )}
        </>
      );
    case 'counting':
      return <CountdownButtons studio={studio} />;
    case 'recording':
    case 'stopping':
      return (
        <>
          <Button
            key="pause"
            size="lg"
            variant="secondary"
            className={layout.small}
            disabled={camera.phase === 'stopping'}
            onClick={isPaused ? recorder.resume : recorder.pause}
          >
            <Icon of={isPaused ? Play : Pause} className="size-4 fill-current" aria-hidden="true" />
            <span className={layout.label}>{isPaused ? 'Resume' : 'Pause'}</span>
          </Button>
          <Button
            key="camera"
            size="lg"
            variant="rec"
            className={layout.primary}
            busy={camera.phase === 'stopping'}
            onClick={recorder.stop}
          >
            {camera.phase === 'recording' && (
              <Icon of={Square} className="size-3.5 fill-current" aria-hidden="true" />
            )}
            <span>Stop Recording</span>
          </Button>
          <MarkButton key="mark" studio={studio} />
        </>
      );
    case 'recorded':
      return (
        <>
          {upload}
          <Button key="again" size="lg" variant="secondary" onClick={start}>
            Start New Recording
          </Button>
        </>
      );
  }
}

/**
 * Shows the actions for the current phase of the camera.
 * @param fileDrop what chooses a file instead, where that can be done
 */
export function RecorderControls({ studio, fileDrop }: { studio: StudioModel; fileDrop: Elements }) {
  const { camera, file, stream, recorder, uploads, layout } = studio;
  const [choosing, setChoosing] = useState(false);
  const dock = useRef<HTMLDivElement>(null);
  const { phase } = camera;
  const known = useRef(phase);
  useEffect(() => {
    if (known.current === phase) return;
    known.current = phase;
    if (phase === 'recording') setChoosing(false);
    // The focused button may have gone with its phase: restore focus.
    if (document.activeElement === document.body) dock.current?.querySelector('button')?.focus();
  }, [phase]);
  const { stopPreview } = recorder;
  const isChosen = file !== null;
  useEffect(() => {
    if (isChosen) stopPreview();
  }, [isChosen, stopPreview]);
  useEffect(() => stopPreview, [stopPreview]);
  const isIdle = !isChosen && phase === 'idle';

  return (
    <>
      <div ref={dock} className={layout.dock}>
        <div className={layout.main}>
          <RecordingButtons studio={studio} />
        </div>
        {phase === 'recording' && <LiveUploadStatus live={uploads.live} />}
        {!isChosen && phase !== 'recorded' && (
          <div className={layout.tools}>
            {isIdle && (
              <Button
                size="lg"
                variant="secondary"
                aria-expanded={choosing}
                onClick={() => {
                  setChoosing(!choosing);
                  if (choosing && stream) stopPreview();
                }}
                className={layout.camera}
              >
                <Icon of={Settings2} className="size-5 shrink-0" aria-hidden="true" />
                <span className={layout.label}>Camera & microphone</span>
              </Button>
            )}
            {fileDrop}
          </div>
        )}
      </div>
      {isIdle && choosing && (
        <div className={layout.devices}>
          <DevicePicker
            key={recorder.isCameraOff ? 'microphone' : 'both'}
            sources={recorder.isCameraOff ? 'microphone' : 'both'}
            startPreview={recorder.startPreview}
          />
        </div>
      )}
    </>
  );
}
