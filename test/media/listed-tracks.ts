import { HEAD_BYTES } from '@/components/capture/uploads/video-file/container';
import { readVideoTracks } from '@/components/capture/uploads/video-file/video-tracks';
import { asciiAt, createByteReader } from '@/lib/video/shared/byte-reader';

/** Returns the tracks of a file, each as its kind and its codec; null if it's nothing known. @throws RangeError if it's damaged */
export async function listTracks(content: Uint8Array) {
  const reader = createByteReader(new Blob([new Uint8Array(content)]));
  const head = await reader.read(0, HEAD_BYTES);
  const list = await readVideoTracks(reader, asciiAt(head, 0, head.byteLength));
  return list && { ...list, tracks: list.tracks.map(({ kind, codec }) => `${kind} ${codec}`) };
}

/** What's listed if these are all the tracks. */
export const all = (...tracks: string[]) => ({ tracks, isComplete: true });

/** What's listed if there may be others. */
export const some = (...tracks: string[]) => ({ tracks, isComplete: false });
