import { asciiAt, type ByteReader } from '@/lib/video/shared/byte-reader';
import { chunksIn } from './riff-chunks';
import { hexCode, type Track, type TrackList, toTrack } from './track';

const LISTS = new Set(['hdrl', 'strl']);

/** Types of streams in `strh`. DV may have sound and pictures in one. */
const KINDS: ReadonlyMap<string, Track['kind']> = new Map([
  ['vids', 'video'],
  ['iavs', 'video'],
  ['auds', 'audio'],
  ['mids', 'audio'],
  ['txts', 'other'],
]);

/** Returns the codec in `strf`: in a BITMAPINFOHEADER, or in a WAVEFORMATEX. */
function readCodec(kind: Track['kind'], format: DataView): string {
  if (kind === 'video') return format.byteLength >= 20 ? asciiAt(format, 16, 4) : '';
  return kind === 'audio' && format.byteLength >= 2 ? hexCode(format.getUint16(0, true), 4) : '';
}

/** Reads the streams of an AVI file (AVI RIFF File Reference, Microsoft). @throws RangeError if it's damaged */
export async function readAviTracks(file: ByteReader): Promise<TrackList> {
  const tracks: Track[] = [];
  let [streams, areKnown, type] = [0, true, ''];
  for await (const chunk of chunksIn(file, LISTS)) {
    if (chunk.type === 'avih') streams = (await file.read(chunk.start, 28)).getUint32(24, true);
    if (chunk.type === 'strh') type = asciiAt(await file.read(chunk.start, 4), 0, 4);
    if (chunk.type !== 'strf') continue;
    const kind = KINDS.get(type);
    areKnown &&= kind !== undefined;
    tracks.push(
      toTrack(
        kind ?? 'other',
        readCodec(kind ?? 'other', await file.read(chunk.start, Math.min(chunk.size, 40))),
      ),
    );
  }
  return { tracks, isComplete: areKnown && streams > 0 && tracks.length === streams };
}
