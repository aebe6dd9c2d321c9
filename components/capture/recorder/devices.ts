import { getDeviceSetting, parseSaved, setDeviceSetting } from '@/components/ui/browser-storage';

export const CANNOT_RECORD =
  'This browser can’t record video. Choose a video file, or open this page in another browser.';

const STORAGE_KEY = 'daylight-devices';

/** The chosen camera and microphone. An empty id means the browser's default. */
export interface Devices {
  camera: string;
  microphone: string;
  /** A phone's front or rear camera. */
  facing: 'user' | 'environment';
}

/** Returns the devices last chosen in this browser, or the defaults. */
export function getSavedDevices(): Devices {
  const saved = parseSaved<Partial<Devices>>(getDeviceSetting(STORAGE_KEY));
  return { camera: '', microphone: '', facing: 'user', ...saved };
}

export const saveDevices = (devices: Devices): void => setDeviceSetting(STORAGE_KEY, JSON.stringify(devices));

/** Switches between the front and rear cameras. */
export function flipCamera(): void {
  const { facing, microphone } = getSavedDevices();
  saveDevices({ camera: '', microphone, facing: facing === 'user' ? 'environment' : 'user' });
}

/** Returns whether this is a handheld device with two cameras. */
export const canFlipCamera = (devices: readonly MediaDeviceInfo[]): boolean =>
  matchMedia('(pointer: coarse)').matches && devices.filter(({ kind }) => kind === 'videoinput').length > 1;

/** What's opened. */
export type Sources = 'both' | 'camera' | 'microphone';

const requestStream = ({ camera, microphone, facing }: Devices, sources: Sources): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    video: sources !== 'microphone' && {
      width: { ideal: 1280 },
      height: { ideal: 720 },
      // `exact`, or a better camera would win over the chosen one.
      ...(camera ? { deviceId: { exact: camera } } : { facingMode: facing }),
    },
    audio: sources !== 'camera' && {
      echoCancellation: true,
      noiseSuppression: true,
      ...(microphone && { deviceId: { exact: microphone } }),
    },
  });

/**
 * Opens the camera, at 720p if possible, and the microphone, or one of them. Falls back to the defaults if a chosen device is
 * gone. Phones held upright swap width and height by themselves.
 * @throws DOMException from getUserMedia; see `cameraProblem`
 */
export async function openDevices(devices: Devices, sources: Sources): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new DOMException('', 'NotSupportedError');
  try {
    return await requestStream(devices, sources);
  } catch (error) {
    const isGone = /^(Overconstrained|NotFound)Error$/.test(nameOf(error));
    if (!isGone || !(devices.camera || devices.microphone)) throw error;
    return requestStream({ ...devices, camera: '', microphone: '' }, sources);
  }
}

/** Turns off the camera and microphone. */
export function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Returns whether the camera and microphone are both still connected. */
export const isLive = (stream: MediaStream): boolean =>
  stream.getTracks().every((track) => track.readyState === 'live');

/** Returns whether this is the rear camera, whose preview isn't mirrored. */
export const isRearCamera = (stream: MediaStream): boolean =>
  stream.getVideoTracks().some((track) => track.getSettings().facingMode === 'environment');

/** Returns how to unblock the camera in this browser. */
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

/** Returns the name of an error, which isn't a DOMException in every browser. */
const nameOf = (error: unknown): string =>
  error instanceof Object ? String(Reflect.get(error, 'name')) : '';

const isBlocked = (name: string) => name === 'NotAllowedError' || name === 'SecurityError';
const isMissing = (name: string) => name === 'NotFoundError' || name === 'OverconstrainedError';
const isTaken = (name: string) => name === 'NotReadableError' || name === 'AbortError';

/**
 * Returns what went wrong and what to do when the camera or the microphone didn't open, by getUserMedia's error (Media
 * Capture and Streams, 10.3).
 */
export function cameraProblem(error: unknown, sources: Sources = 'both'): string {
  const name = nameOf(error);
  const isVoice = sources === 'microphone';
  if (isBlocked(name))
    return `${isVoice ? 'The microphone is' : 'The camera and microphone are'} blocked. ${permissionInstructions(navigator.userAgent)}, then select Start Recording again.`;
  if (isMissing(name))
    return `We couldn’t find a ${isVoice ? 'microphone. Connect one' : 'camera and microphone. Connect both'} and select Start Recording again, or choose a video file.`;
  if (isTaken(name))
    return `Another app is using your ${isVoice ? '' : 'camera or '}microphone. Close that app, then select Start Recording again.`;
  return CANNOT_RECORD;
}

/**
 * Returns a sentence that offers to record without a camera, where a recording with one didn't start. Null if there's no
 * microphone either, or it's blocked, as far as the browser tells.
 */
export async function findVoiceOffer(error: unknown): Promise<string | null> {
  const name = nameOf(error);
  if (!isBlocked(name) && !isMissing(name) && !isTaken(name)) return null;
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  if (!devices.some(({ kind }) => kind === 'audioinput')) return null;
  const permission = await navigator.permissions?.query({ name: 'microphone' }).catch(() => null);
  if (permission?.state === 'denied') return null;
  if (isMissing(name)) return 'We couldn’t find a camera. You can record your voice without one.';
  if (isTaken(name)) return `${cameraProblem(error)} Or record your voice without the camera.`;
  const instructions = permissionInstructions(navigator.userAgent);
  return `Your browser didn’t allow the camera. You can record your voice without it. To use it, ${instructions[0]?.toLowerCase()}${instructions.slice(1)}.`;
}

/** Shown when the browser takes a long time to open the camera. */
export const CAMERA_NOT_RESPONDING =
  'The camera isn’t responding yet. If your browser asks to use it, allow it. If another app is using it, close that app.';
