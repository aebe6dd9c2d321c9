import { cameraProblem, findVoiceOffer, getSavedDevices, openDevices } from './devices';
import { openDrawnPicture } from './drawn-picture';

/**
 * Opens what's recorded: the saved microphone, and the saved camera or a drawn picture.
 * @throws DOMException from getUserMedia; see `explainProblem`
 */
export async function openSources(isCameraOff: boolean): Promise<MediaStream> {
  if (!isCameraOff) return openDevices(getSavedDevices(), 'both');
  const stream = await openDevices(getSavedDevices(), 'microphone');
  for (const microphone of stream.getAudioTracks()) stream.addTrack(openDrawnPicture(microphone));
  return stream;
}

/** Returns why nothing was opened, and what offers a recording without the camera, if that may work. */
export async function explainProblem(error: unknown, isCameraOff: boolean) {
  if (isCameraOff) return { problem: cameraProblem(error, 'microphone'), voiceOffer: null };
  return { problem: cameraProblem(error), voiceOffer: await findVoiceOffer(error) };
}
