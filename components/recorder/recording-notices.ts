import { CANNOT_RECORD } from './devices';

export const RECORDING_SAVED =
  'Everything up to that point is saved. Watch it, upload it, or start a new recording.';

/** Why a recording stopped by itself. */
export const CAMERA_DISCONNECTED = `Your camera was unplugged or turned off, so recording stopped. ${RECORDING_SAVED}`;
export const MICROPHONE_DISCONNECTED = `Your microphone was unplugged or turned off, so recording stopped. ${RECORDING_SAVED}`;
export const RECORDER_FAILED = `The browser stopped the recording. ${RECORDING_SAVED}`;
export const NOTHING_RECORDED = 'Nothing was recorded. Select Start Recording to try again.';

const calm = (text: string) => ({ text, urgent: false });

/** Warnings during a recording. */
export const CAMERA_MUTED = calm(
  'We’re getting no picture from your camera. You’re still recording. Check the camera’s cover, or reconnect it.',
);
export const MICROPHONE_MUTED = calm(
  'We’re getting no sound from your microphone. You’re still recording. Check whether it’s muted.',
);
/** Some browsers say that they record, without an error, though they lack an encoder. */
export const NOTHING_ARRIVES = calm(CANNOT_RECORD);
export const NO_LOCAL_COPY = calm(
  'This browser can’t save a backup of your recording. Keep this page open until you’ve uploaded it.',
);
export const DEVICE_FULL = {
  text: 'This device is full, so we can’t back up the rest of your recording. You’re still recording. Stop and upload soon, and keep this page open until then.',
  urgent: true,
};
/** @param minutes of recording that fit on this device */
export const lowSpaceNotice = (minutes: number) =>
  calm(
    `This device has space to back up ${minutes < 1 ? 'less than a minute' : `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`}. Free up some space before you make a longer recording.`,
  );
