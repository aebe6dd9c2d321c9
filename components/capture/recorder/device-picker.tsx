import { SwitchCamera } from 'lucide';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { SelectField } from '@/components/ui/select-field';
import { isCountdownEnabled, setCountdownEnabled } from './countdown';
import {
  cameraProblem,
  canFlipCamera,
  flipCamera,
  getSavedDevices,
  type Sources,
  saveDevices,
} from './devices';

const KINDS = [
  { name: 'camera', label: 'Camera', kind: 'videoinput' },
  { name: 'microphone', label: 'Microphone', kind: 'audioinput' },
] as const;

/**
 * Chooses the camera, the microphone and the countdown for the next recording, and saves them on this device.
 * @param sources what's opened
 * @param startPreview shows the chosen camera
 */
export function DevicePicker({
  sources,
  startPreview,
}: {
  sources: Sources;
  startPreview: () => Promise<unknown>;
}) {
  const [devices, setDevices] = useState<MediaDeviceInfo[] | null>(null);
  const [problem, setProblem] = useState('');
  const [chosen, setChosen] = useState(getSavedDevices);
  const [counting, setCounting] = useState(isCountdownEnabled);
  useEffect(() => {
    // Browsers reveal device names only after permission, so open the camera first.
    const find = async () => setDevices(await navigator.mediaDevices.enumerateDevices());
    startPreview()
      .then(find)
      .catch((error) => setProblem(cameraProblem(error, sources)));
    navigator.mediaDevices?.addEventListener('devicechange', find);
    return () => navigator.mediaDevices?.removeEventListener('devicechange', find);
  }, [sources, startPreview]);
  if (problem)
    return (
      <p role="alert" className="rounded-12 border border-line bg-surface p-4 text-15">
        {problem}
      </p>
    );
  if (!devices) return <p role="status">Loading...</p>;
  const show = () => {
    setChosen(getSavedDevices());
    startPreview().catch((error) => setProblem(cameraProblem(error, sources)));
  };
  return (
    <div className="grid w-full max-w-2xl gap-4 sm:grid-cols-2">
      {KINDS.map(({ name, label, kind }) => (
        <SelectField
          key={name}
          label={label}
          value={chosen[name]}
          onChange={({ target }) => {
            saveDevices({ ...chosen, [name]: target.value });
            show();
          }}
        >
          <option value="">Default</option>
          {devices
            .filter((device) => device.kind === kind && device.deviceId)
            .map((device, index) => (
              <option key={device.deviceId} value={device.deviceId}>
                {device.label || `${label} ${index + 1}`}
              </option>
            ))}
        </SelectField>
      ))}
      <label className="flex min-h-11 items-center gap-3 text-15">
        <input
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
      {sources === 'both' && canFlipCamera(devices) && (
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
