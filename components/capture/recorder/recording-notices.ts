import { CANNOT_RECORD } from './devices';

export const RECORDING_SAVED =
  'Everything up to that point is saved. Watch it, upload it, or start a new recording.';

/** Why a recording stopped by itself. */
export const STOPPED = {
  camera: `Your camera was unplugged or turned off, so recording stopped. ${RECORDING_SAVED}`,
  microphone: `Your microphone was unplugged or turned off, so recording stopped. ${RECORDING_SAVED}`,
  recorder: `The browser stopped the recording. ${RECORDING_SAVED}`,
};
export const NOTHING_RECORDED = 'Nothing was recorded. Select Start Recording to try again.';

/** A warning during a recording. */
const warning = (text: string, urgent = false) => ({ text, urgent });

export const WARNINGS = {
  muted: {
    camera: warning(
      'Your camera isn’t sending a picture. You’re still recording. Check the lens cover, or reconnect the camera.',
    ),
    microphone: warning(
      'Your microphone isn’t picking up any sound. You’re still recording. Make sure it isn’t muted.',
    ),
  },
  cameraStaysOff: warning('The camera didn’t turn on. You’re still recording without it.'),
  /** Some browsers say that they record, without an error, though they lack an encoder. */
  nothingArrives: warning(CANNOT_RECORD),
  noLocalCopy: warning(
    'This browser can’t save a backup of your recording. Keep this page open until you’ve uploaded it.',
  ),
  deviceFull: warning(
    'This device is full, so we can’t back up the rest of your recording. You’re still recording. Stop and upload soon, and keep this page open until then.',
    true,
  ),
};
/** @param minutes of recording that fit on this device */
export const lowSpaceNotice = (minutes: number) =>
  warning(
    `This device has space to back up ${minutes < 1 ? 'less than a minute' : `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`}. Free up some space before you make a longer recording.`,
  );
