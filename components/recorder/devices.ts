import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';

const STORAGE_KEY = 'daylight-devices';

/** The chosen camera and microphone; an empty id leaves the choice to the browser. */
export interface Devices {
  camera: string;
  microphone: string;
  /** The side of a phone that looks at the person, or the other one. */
  facing: 'user' | 'environment';
}

/** What was chosen on this device before; storage that is switched off remembers nothing. */
export function getSavedDevices(): Devices {
  let kept: Partial<Record<keyof Devices, unknown>> = {};
  try {
    kept = JSON.parse(getDeviceSetting(STORAGE_KEY) ?? '{}');
  } catch {
    // Something else has written there.
  }
  const { camera = '', microphone = '', facing } = kept;
  return {
    camera: String(camera),
    microphone: String(microphone),
    facing: facing === 'environment' ? facing : 'user',
  };
}

export const saveDevices = (devices: Devices): void => setDeviceSetting(STORAGE_KEY, JSON.stringify(devices));

/** Turns to the other side's camera. */
export function flipCamera(): void {
  const { facing, microphone } = getSavedDevices();
  saveDevices({ camera: '', microphone, facing: facing === 'user' ? 'environment' : 'user' });
}

/** Whether there is another side to turn to: a device held in the hand, with two cameras. */
export async function canFlipCamera(): Promise<boolean> {
  if (!matchMedia('(pointer: coarse)').matches) return false;
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return devices.filter(({ kind }) => kind === 'videoinput').length > 1;
}

const requestStream = ({ camera, microphone, facing }: Devices): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    video: {
      width: { ideal: 1280 },
      height: { ideal: 720 },
      // No wish but a demand: a chosen camera that is coarser than another one would lose to it.
      ...(camera ? { deviceId: { exact: camera } } : { facingMode: facing }),
    },
    audio: {
      echoCancellation: true,
      noiseSuppression: true,
      ...(microphone && { deviceId: { exact: microphone } }),
    },
  });

/**
 * Opens the camera and the microphone, 720p where they can. A chosen device that is gone is passed over. A phone that
 * is held upright turns width and height by itself.
 * @throws DOMException as getUserMedia does; `cameraProblem` has the sentence for it
 */
export async function openCamera(devices: Devices): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new DOMException('', 'NotSupportedError');
  try {
    return await requestStream(devices);
  } catch (error) {
    const isGone =
      error instanceof Object && /^(Overconstrained|NotFound)Error$/.test(Reflect.get(error, 'name'));
    if (!isGone || !(devices.camera || devices.microphone)) throw error;
    return requestStream({ ...devices, camera: '', microphone: '' });
  }
}

/** Switches the camera and the microphone off. */
export function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Whether camera and microphone are both still there. */
export const isLive = (stream: MediaStream): boolean =>
  stream.getTracks().every((track) => track.readyState === 'live');

/** Whether the picture is of the world and not of the person, who expects a mirror. */
export const isRearCamera = (stream: MediaStream): boolean =>
  stream.getVideoTracks().some((track) => track.getSettings().facingMode === 'environment');

/** The browser's own name for the place where a blocked camera is allowed again. */
function permissionInstructions(agent: string): string {
  if (/iPhone|iPad|Android/.test(agent) && /Safari/.test(agent) && !/Chrome|Firefox|FxiOS|CriOS/.test(agent))
    return 'Tap the button next to the address, then Website Settings, and allow the camera and microphone';
  if (/iPhone|iPad/.test(agent))
    return 'Open the Settings app and allow this browser to use the camera and microphone';
  if (/Firefox|FxiOS/.test(agent))
    return 'Select the crossed-out camera next to the address and clear both blocks';
  if (/Edg|Chrome|CriOS/.test(agent))
    return 'Select the icon to the left of the address and turn on Camera and Microphone';
  if (/Safari/.test(agent)) return 'Open the Safari menu, choose Settings for This Website, and allow both';
  return 'Allow both for this site in your browser’s settings';
}

/**
 * What happened and what to do when the camera did not open, by the error of getUserMedia (Media Capture and Streams,
 * 10.3).
 */
export function cameraProblem(error: unknown): string {
  // OverconstrainedError is no DOMException in every browser.
  const name = error instanceof Object ? Reflect.get(error, 'name') : '';
  if (name === 'NotAllowedError' || name === 'SecurityError')
    return `The camera and microphone are blocked. ${permissionInstructions(navigator.userAgent)}, then select Start Recording again.`;
  if (name === 'NotFoundError' || name === 'OverconstrainedError')
    return 'We couldn’t find a camera and microphone. Connect both and select Start Recording again, or choose a video file.';
  if (name === 'NotReadableError' || name === 'AbortError')
    return 'Another app is using your camera or microphone. Close that app, then select Start Recording again.';
  return 'This browser can’t record video. Choose a video file, or open this page in another browser.';
}

/** While the browser has not said anything of the camera for a while. */
export const CAMERA_NOT_RESPONDING =
  'The camera isn’t responding yet. If your browser asks to use it, allow it. If another app is using it, close that app.';
