import { Video, VideoOff } from 'lucide';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { canSwitchPicture } from './picture-switch';
import type { StudioModel } from './use-studio';

/** Turns the camera off and on, before a recording and, where the browser can replace the picture, during one. */
export function CameraSwitch({ studio: { camera, stream, recorder, layout } }: { studio: StudioModel }) {
  const { phase } = camera;
  const isShown = phase === 'idle' || phase === 'counting' || (phase === 'recording' && canSwitchPicture());
  if (!isShown) return null;
  const isOff = recorder.isCameraOff;
  const [off, on] = stream ? ['Turn camera off', 'Turn camera on'] : ['Leave camera off', 'Use camera'];
  return (
    <Button size="sm" variant="secondary" className={layout.cameraSwitch} onClick={recorder.switchCamera}>
      <Icon of={isOff ? Video : VideoOff} className="size-5 shrink-0" aria-hidden="true" />
      <span className={layout.switchLabel}>{isOff ? on : off}</span>
    </Button>
  );
}
