import type { ByteReader } from '@/lib/video/shared/byte-reader';
import { readAsfTracks } from './asf-tracks';
import { readAviTracks } from './avi-tracks';
import { type Container, sniffContainer } from './container';
import { readFlvTracks } from './flv-tracks';
import { readMatroskaTracks } from './matroska-tracks';
import { readMp4Tracks } from './mp4-tracks';
import { readOggTracks } from './ogg-tracks';
import type { TrackList } from './track';
import { readTransportStreamTracks } from './transport-stream-tracks';

/** A program stream has no list of its tracks. */
const readNothing = async (): Promise<TrackList> => ({ tracks: [], isComplete: false });

const READERS: Readonly<Record<Container, (file: ByteReader) => Promise<TrackList>>> = {
  mp4: readMp4Tracks,
  matroska: readMatroskaTracks,
  avi: readAviTracks,
  asf: readAsfTracks,
  flv: readFlvTracks,
  ogg: readOggTracks,
  'mpeg-ts': readTransportStreamTracks,
  'mpeg-ps': readNothing,
};

/**
 * Reads which tracks a file has, with a few small reads of its headers.
 * @param head its first bytes, with a character for each
 * @returns null if it isn't known what it is
 * @throws RangeError if it's damaged; DOMException if it can't be read
 */
export async function readVideoTracks(file: ByteReader, head: string): Promise<TrackList | null> {
  const container = sniffContainer(head);
  return container && READERS[container](file);
}
