/** The browser's own name for the place where a blocked camera is allowed again. */
function permissionInstructions(agent: string): string {
  if (/iPhone|iPad|Android/.test(agent) && /Safari/.test(agent) && !/Chrome|Firefox|FxiOS|CriOS/.test(agent))
    return 'Press the button beside the address, then Website Settings, and allow camera and microphone';
  if (/iPhone|iPad/.test(agent)) return 'Allow camera and microphone for this browser in the Settings app';
  if (/Firefox|FxiOS/.test(agent))
    return 'Press the crossed-out camera beside the address and remove both blocks';
  if (/Edg|Chrome|CriOS/.test(agent))
    return 'Press the icon to the left of the address and switch Camera and Microphone on';
  if (/Safari/.test(agent)) return 'Open Safari’s menu, then Settings for This Website, and allow both';
  return 'Allow both for this site in the browser’s settings';
}

/**
 * What happened and what to do when the camera did not open, by the error of getUserMedia (Media Capture and Streams,
 * 10.3).
 */
export function cameraProblem(error: unknown): string {
  // OverconstrainedError is no DOMException in every browser.
  const name = error instanceof Object ? Reflect.get(error, 'name') : '';
  if (name === 'NotAllowedError' || name === 'SecurityError')
    return `The camera and microphone are blocked. ${permissionInstructions(navigator.userAgent)}, then press Start Recording again.`;
  if (name === 'NotFoundError' || name === 'OverconstrainedError')
    return 'No camera and microphone were found. Connect both, then press Start Recording again, or choose a video file.';
  if (name === 'NotReadableError' || name === 'AbortError')
    return 'The camera or microphone is in use by another program. Close it there, then press Start Recording again.';
  return 'This browser cannot record here. Choose a video file, or open this page in another browser.';
}

/** While the browser has not said anything of the camera for a while. */
export const CAMERA_NOT_RESPONDING =
  'The camera has not answered yet. If the browser asks whether this page may use it, allow it; if another program uses it, close it there.';

const RECORDING_SAVED = 'Everything until then is kept: watch it, upload it, or start a new recording.';

/** Why a recording has ended without being asked to. */
export const CAMERA_DISCONNECTED = `The camera was unplugged or switched off, so the recording has stopped. ${RECORDING_SAVED}`;
export const MICROPHONE_DISCONNECTED = `The microphone was unplugged or switched off, so the recording has stopped. ${RECORDING_SAVED}`;
export const RECORDER_FAILED = `The browser broke the recording off. ${RECORDING_SAVED}`;
export const NOTHING_RECORDED = 'Nothing was recorded. Press Start Recording to try again.';

/** What goes on all the same. */
export const CAMERA_MUTED = {
  text: 'The camera gives no picture at the moment. The recording goes on; open its cover or wake the computer’s camera.',
  urgent: false,
};
export const MICROPHONE_MUTED = {
  text: 'The microphone gives no sound at the moment. The recording goes on; look whether it is muted.',
  urgent: false,
};
export const NO_LOCAL_COPY = {
  text: 'This browser keeps no safety copy of the recording. Upload it soon, and keep this page open until then.',
  urgent: false,
};
export const DEVICE_FULL = {
  text: 'This device is full, so the safety copy has stopped. The recording goes on; stop and upload it soon, and keep this page open until then.',
  urgent: true,
};
/** @param minutes how long the copy can still become */
export const lowSpaceNotice = (minutes: number) => ({
  text: `The safety copy has room for ${minutes < 1 ? 'less than a minute' : `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`}. Free some space on this device before you record for longer.`,
  urgent: false,
});
