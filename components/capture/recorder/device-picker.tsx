import { SwitchCamera } from 'lucide';
import { useEffect, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { SelectField } from '@/components/ui/select-field';
import {
  cameraProblem,
  canFlipCamera,
  type Devices,
  flipCamera,
  getSavedDevices,
  saveDevices,
} from './devices';
import { isCountdownEnabled, setCountdownEnabled } from './use-recorder';

/**
 * Chooses the camera, the microphone and the countdown for the next recording, and saves them on this device.
 * @param startPreview shows the chosen camera; null while a recording is shown instead
 */
export function DevicePicker({ startPreview }: { startPreview: (() => Promise<unknown>) | null }) {
  const [devices, setDevices] = useState<MediaDeviceInfo[] | null>(null);
  const [problem, setProblem] = useState('');
  const [chosen, setChosen] = useState(getSavedDevices);
  const [counting, setCounting] = useState(isCountdownEnabled);
  const [canFlip, setCanFlip] = useState(false);
  const countingId = useId();
  useEffect(() => {
    let gone = false;
    // Browsers reveal device names only after permission, so open the camera first.
    const find = async () => {
      const found = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
      const flippable = await canFlipCamera();
      if (gone) return;
      setDevices(found);
      setCanFlip(flippable);
    };
    Promise.resolve(startPreview?.())
      .then(find)
      .catch((error) => gone || setProblem(cameraProblem(error)));
    const changed = () => void find();
    navigator.mediaDevices?.addEventListener('devicechange', changed);
    return () => {
      gone = true;
      navigator.mediaDevices?.removeEventListener('devicechange', changed);
    };
  }, [startPreview]);
  if (problem)
    return (
      <p role="alert" className="rounded-12 border border-line bg-surface p-4 text-15">
        {problem}
      </p>
    );
  if (!devices) return <p role="status">Loading...</p>;
  const show = () => {
    setChosen(getSavedDevices());
    startPreview?.().catch((error) => setProblem(cameraProblem(error)));
  };
  const choose = (part: Partial<Devices>) => {
    saveDevices({ ...chosen, ...part });
    show();
  };
  const options = (kind: MediaDeviceKind) =>
    devices
      .filter((device) => device.kind === kind && device.deviceId)
      .map((device, index) => (
        <option key={device.deviceId} value={device.deviceId}>
          {device.label || `${kind === 'videoinput' ? 'Camera' : 'Microphone'} ${index + 1}`}
        </option>
      ));
  return (
    <div className="grid w-full max-w-2xl gap-4 sm:grid-cols-2">
      <SelectField
        label="Camera"
        value={chosen.camera}
        onChange={(event) => choose({ camera: event.target.value })}
      >
        <option value="">Default</option>
        {options('videoinput')}
      </SelectField>
      <SelectField
        label="Microphone"
        value={chosen.microphone}
        onChange={(event) => choose({ microphone: event.target.value })}
      >
        <option value="">Default</option>
        {options('audioinput')}
      </SelectField>
      <label htmlFor={countingId} className="flex min-h-11 items-center gap-3 text-15">
        <input
          id={countingId}
          type="checkbox"
          className="size-5 accent-(--accent)"
          checked={counting}
          onChange={({ target }) => {
            setCounting(target.checked);
            setCountdownEnabled(target.checked);
          }}
        />
        Count down from three
      </label>
      {canFlip && startPreview && (
        <Button
          variant="secondary"
          onClick={() => {
            flipCamera();
            show();
          }}
        >
          <Icon of={SwitchCamera} className="size-5" aria-hidden="true" />
          Switch camera
        </Button>
      )}
    </div>
  );
}
