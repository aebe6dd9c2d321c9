import { asciiAt, type ByteReader } from '@/lib/video/shared/byte-reader';
import { type Box, boxesIn, findBox } from '@/lib/video/shared/mp4-boxes';
import { readDolbyVisionProfile, type Track, type TrackList, toTrack } from './track';

/** Handlers of tracks (ISO/IEC 14496-12, 8.4.3) that ffmpeg may take for a video as well. */
const MAYBE_VIDEO = new Set(['pict', 'auxv', 'MPEG']);
/** Where the boxes inside a VisualSampleEntry start (ISO/IEC 14496-12, 8.5.2.2 and 12.1.3.2), in bytes. */
const VISUAL_ENTRY_BYTES = 78;
/** Sample entries of encrypted tracks: Common Encryption (ISO/IEC 14496-12, 8.12.1), and Apple's FairPlay. */
const PROTECTED_ENTRIES = new Set(['encv', 'drmi']);
/** Boxes with a Dolby Vision configuration record: profiles up to 7, up to 10, and above. */
const DOLBY_VISION_BOXES = new Set(['dvcC', 'dvvC', 'dvwC']);

/** Returns the format that an encrypted entry had before: that in `frma` inside `sinf` (ISO/IEC 14496-12, 8.12). */
async function readOriginalFormat(file: ByteReader, protection: Box): Promise<string | null> {
  const frma = await findBox(file, protection, 'frma');
  return frma && asciiAt(await file.read(frma.start, 4), 0, 4);
}

async function readVisualEntry(file: ByteReader, entry: Box): Promise<Track> {
  const track = toTrack('video', entry.type, { isProtected: PROTECTED_ENTRIES.has(entry.type) });
  for await (const box of boxesIn(file, entry.start + VISUAL_ENTRY_BYTES, entry.end)) {
    if (box.type === 'sinf') {
      track.isProtected = true;
      track.codec = (await readOriginalFormat(file, box)) ?? track.codec;
    }
    if (DOLBY_VISION_BOXES.has(box.type)) {
      track.dolbyVisionProfile = readDolbyVisionProfile(await file.read(box.start, 5));
    }
  }
  return track;
}

/** Reads a `trak`. One with several sample entries is several tracks here, since either may be played. */
async function readTrack(file: ByteReader, trak: Box): Promise<TrackList> {
  const handler = await findBox(file, trak, 'mdia', 'hdlr');
  if (!handler) return { tracks: [], isComplete: false };
  const type = asciiAt(await file.read(handler.start, 12), 8, 4);
  const kind = type === 'vide' ? 'video' : type === 'soun' ? 'audio' : 'other';
  const list = await findBox(file, trak, 'mdia', 'minf', 'stbl', 'stsd');
  const tracks: Track[] = [];
  if (list) {
    for await (const entry of boxesIn(file, list.start + 8, list.end))
      tracks.push(kind === 'video' ? await readVisualEntry(file, entry) : toTrack(kind, entry.type));
  }
  const isKnown = tracks.length > 0 || kind === 'other';
  return { tracks, isComplete: isKnown && trak.isWhole && !MAYBE_VIDEO.has(type) };
}

/**
 * Reads the tracks of an MP4 or QuickTime file, whose `moov` may be first or last.
 * @throws RangeError if it's damaged
 */
export async function readMp4Tracks(file: ByteReader): Promise<TrackList> {
  const moov = await findBox(file, { start: 0, end: file.size }, 'moov');
  if (!moov) return { tracks: [], isComplete: false };
  const lists: TrackList[] = [];
  for await (const box of boxesIn(file, moov.start, moov.end)) {
    if (box.type === 'trak') lists.push(await readTrack(file, box));
  }
  return {
    tracks: lists.flatMap(({ tracks }) => tracks),
    isComplete: moov.isWhole && lists.every(({ isComplete }) => isComplete),
  };
}
