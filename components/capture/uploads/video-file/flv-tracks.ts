import { asciiAt, type ByteReader } from '@/lib/video/shared/byte-reader';
import { type Track, type TrackList, toTrack } from './track';

// Numbers are from Adobe Flash Video File Format Specification 10.1, Annex E.
const AUDIO_TAG = 8;
const VIDEO_TAG = 9;
/** Set in a tag's type if its data is encrypted. */
const FILTER = 0x20;
/** Set in a video's first byte if a fourcc follows (Enhanced RTMP, 1). */
const HAS_FOURCC = 0x80;
/** ffmpeg's names of codecs, by their numbers. */
const VIDEO_CODECS: Readonly<Record<number, string>> = {
  ...{ 2: 'flv1', 3: 'flashsv', 4: 'vp6f', 5: 'vp6a', 6: 'flashsv2', 7: 'h264', 12: 'hevc' },
};
const AUDIO_CODECS: Readonly<Record<number, string>> = {
  ...{ 2: 'mp3', 4: 'nellymoser', 5: 'nellymoser', 6: 'nellymoser', 7: 'pcm_alaw', 8: 'pcm_mulaw' },
  ...{ 10: 'aac', 11: 'speex', 14: 'mp3' },
};
/** Pictures and sound alternate from the start. */
const MAX_TAGS = 128;

/** Reads a tag of a track that isn't known yet. */
function readTag(type: number, data: DataView): Track {
  const [first, isProtected] = [data.getUint8(0), (type & FILTER) !== 0];
  if ((type & 0x1f) === AUDIO_TAG) return toTrack('audio', AUDIO_CODECS[first >> 4] ?? '', { isProtected });
  const codec = first & HAS_FOURCC ? asciiAt(data, 1, 4) : (VIDEO_CODECS[first & 0xf] ?? '');
  return toTrack('video', codec, { isProtected });
}

/**
 * Reads the tracks of a Flash video, which has one of each kind at most. Its header doesn't reliably tell which; they're
 * known once there's a tag of the video.
 * @throws RangeError if it's damaged
 */
export async function readFlvTracks(file: ByteReader): Promise<TrackList> {
  const found = new Map<Track['kind'], Track>();
  let at = (await file.read(5, 4)).getUint32(0) + 4;
  for (let count = 0; at + 16 <= file.size && count < MAX_TAGS && found.size < 2; count += 1) {
    const head = await file.read(at, 16);
    const [type, size] = [head.getUint8(0), head.getUint32(0) & 0xffffff];
    const isTrack = [AUDIO_TAG, VIDEO_TAG].includes(type & 0x1f);
    if (isTrack && size >= 5) {
      const track = readTag(type, new DataView(head.buffer, head.byteOffset + 11, 5));
      if (!found.has(track.kind)) found.set(track.kind, track);
    }
    at += 11 + size + 4;
  }
  return { tracks: [...found.values()], isComplete: found.has('video') };
}
