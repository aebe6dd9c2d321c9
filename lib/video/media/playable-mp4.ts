import { asciiAt, type ByteReader } from '@/lib/video/shared/byte-reader';
import { type Box, boxesIn, findBox } from '@/lib/video/shared/mp4-boxes';
import { isPlainAvc } from './avc';
import { layoutOf } from './mp4-layout';
import { LONG_EDGE, SHORT_EDGE } from './rendition-plan';

/** What the index of an MP4 says that plays as it is. */
export interface PlayableMp4 {
  /** From the times of all samples. */
  durationMs: number;
  /** In pixels, as displayed. */
  width: number;
  height: number;
}

/** Where the boxes inside a sample entry start, for pictures and for sounds (ISO/IEC 14496-12, 12.1.3 and 12.2.3), in bytes. */
const VISUAL_ENTRY_BYTES = 78;
const AUDIO_ENTRY_BYTES = 28;
/** What's read of a decoder's configuration. */
const MAX_CONFIGURATION_BYTES = 4096;
/** What's read of a table at once: whole entries. */
const TABLE_BYTES = 65_536;

/** Adds up the durations of all samples in `stts` (ISO/IEC 14496-12, 8.6.1.2). @returns seconds */
async function sampleSeconds(file: ByteReader, media: Box): Promise<number> {
  const header = await findBox(file, media, 'mdhd');
  const table = await findBox(file, media, 'minf', 'stbl', 'stts');
  if (!header || !table) throw new RangeError('a track has no times');
  const head = await file.read(header.start, 24);
  const timescale = head.getUint32(head.getUint8(0) === 1 ? 20 : 12);
  let units = 0;
  for (let at = table.start + 8; at < table.end; at += TABLE_BYTES) {
    const entries = await file.read(at, Math.min(TABLE_BYTES, table.end - at));
    for (let entry = 0; entry + 8 <= entries.byteLength; entry += 8)
      units += entries.getUint32(entry) * entries.getUint32(entry + 4);
  }
  return units / timescale;
}

/** Returns the only sample entry of a track; null if it has several. */
async function onlyEntry(file: ByteReader, media: Box): Promise<Box | null> {
  const list = await findBox(file, media, 'minf', 'stbl', 'stsd');
  if (!list || (await file.read(list.start, 8)).getUint32(4) !== 1) return null;
  for await (const entry of boxesIn(file, list.start + 8, list.end)) return entry;
  return null;
}

/** The primaries of BT.2020, and the transfer functions of PQ and HLG (ISO/IEC 23091-2). */
const BT2020 = 9;
const HDR = [16, 18];

/** Returns whether a sample entry says nothing of HDR, or of pixels that aren't square. */
async function isOrdinary(file: ByteReader, inside: Pick<Box, 'start' | 'end'>): Promise<boolean> {
  const pixels = await findBox(file, inside, 'pasp');
  const shape = pixels && (await file.read(pixels.start, 8));
  const color = await findBox(file, inside, 'colr');
  const codes = color && (await file.read(color.start, 10));
  // Other kinds have a profile instead.
  const isCoded = codes !== null && ['nclx', 'nclc'].includes(asciiAt(codes, 0, 4));
  const isWide = isCoded && (codes.getUint16(4) === BT2020 || HDR.includes(codes.getUint16(6)));
  return (!shape || shape.getUint32(0) === shape.getUint32(4)) && (!codes || isCoded) && !isWide;
}

/** Returns the size of a picture that every browser shows, as displayed; null if they may not. */
async function readPicture(file: ByteReader, trak: Box, media: Box) {
  const entry = await onlyEntry(file, media);
  if (!entry || !['avc1', 'avc3'].includes(entry.type)) return null;
  const inside = { start: entry.start + VISUAL_ENTRY_BYTES, end: entry.end };
  const record = await findBox(file, inside, 'avcC');
  if (!record || !(await isOrdinary(file, inside))) return null;
  const { buffer, byteOffset, byteLength } = await file.read(
    record.start,
    Math.min(record.end - record.start, MAX_CONFIGURATION_BYTES),
  );
  if (!isPlainAvc(new Uint8Array(buffer, byteOffset, byteLength))) return null;
  const size = await file.read(entry.start + 24, 4);
  const [width, height] = [size.getUint16(0), size.getUint16(2)];
  const header = await findBox(file, trak, 'tkhd');
  if (!header) return null;
  const head = await file.read(header.start, 92);
  // The first number of the matrix (ISO/IEC 14496-12, 8.3.2) is 0 if it turns the picture by a quarter.
  const isTurned = head.getInt32(head.getUint8(0) === 1 ? 52 : 40) === 0;
  return isTurned ? { width: height, height: width } : { width, height };
}

/** Tags of descriptors in an `esds` (ISO/IEC 14496-1, 7.2.2.1), and the object type of AAC (MPEG-4 Registration Authority). */
const ES_DESCRIPTOR = 3;
const DECODER_CONFIGURATION = 4;
const SPECIFIC_CONFIGURATION = 5;
const AAC = 0x40;
/** LC, and HE-AAC in both versions (ISO/IEC 14496-3, 1.5.1.1). */
const PLAIN_KINDS = new Set([2, 5, 29]);

/** Returns whether an `esds` (ISO/IEC 14496-14, 5.6) is of AAC in mono or stereo. The box around it always says stereo. */
async function isPlainAac(file: ByteReader, { start, end }: Box): Promise<boolean> {
  const data = await file.read(start, Math.min(end - start, MAX_CONFIGURATION_BYTES));
  let at = 4;
  /** Goes on behind a descriptor's tag and length, of which all but the last byte have their first bit set. */
  const enter = (tag: number): boolean => {
    if (data.getUint8(at) !== tag) return false;
    do at += 1;
    while (data.getUint8(at) >= 0x80);
    at += 1;
    return true;
  };
  if (!enter(ES_DESCRIPTOR)) return false;
  // Its id, and flags for parts that MP4 doesn't have.
  at += 3;
  if (!enter(DECODER_CONFIGURATION) || data.getUint8(at) !== AAC) return false;
  // The object type, and rates.
  at += 13;
  if (!enter(SPECIFIC_CONFIGURATION)) return false;
  // The kind in 5 bits, the sample rate in 4, and the channels in 4 (ISO/IEC 14496-3, 1.6.2.1).
  const bits = data.getUint16(at);
  const [kind, rate, channels] = [bits >> 11, (bits >> 7) & 15, (bits >> 3) & 15];
  return PLAIN_KINDS.has(kind) && rate !== 15 && (channels === 1 || channels === 2);
}

/** Returns whether a track is AAC in mono or stereo. */
async function isPlainSound(file: ByteReader, media: Box): Promise<boolean> {
  const entry = await onlyEntry(file, media);
  if (entry?.type !== 'mp4a') return false;
  // QuickTime's later versions of the entry have more fields.
  const isFirstVersion = (await file.read(entry.start, AUDIO_ENTRY_BYTES)).getUint16(8) === 0;
  const configuration = await findBox(
    file,
    { start: entry.start + AUDIO_ENTRY_BYTES, end: entry.end },
    'esds',
  );
  return configuration !== null && isFirstVersion && isPlainAac(file, configuration);
}

/**
 * Reads from the index of a file whether it's an MP4 or QuickTime file that `planRendition` will keep, as far as an index
 * tells: one track of H.264, at most one of sound, which is AAC, and nothing unusual.
 * @returns null if it isn't, or if that's uncertain
 */
export async function readPlayableMp4(file: ByteReader): Promise<PlayableMp4 | null> {
  try {
    const layout = await layoutOf(file);
    if (layout.isFragmented || !layout.isIndexFirst || !layout.hasSimpleEdits) return null;
    const moov = await findBox(file, { start: 0, end: file.size }, 'moov');
    if (!moov?.isWhole) return null;
    const pictures: PlayableMp4[] = [];
    let sounds = 0;
    let seconds = 0;
    for await (const trak of boxesIn(file, moov.start, moov.end)) {
      if (trak.type !== 'trak') continue;
      const media = await findBox(file, trak, 'mdia');
      const handler = media && (await findBox(file, media, 'hdlr'));
      if (!handler) return null;
      const kind = asciiAt(await file.read(handler.start, 12), 8, 4);
      if (kind !== 'vide' && kind !== 'soun') continue;
      seconds = Math.max(seconds, await sampleSeconds(file, media));
      const picture = kind === 'vide' ? await readPicture(file, trak, media) : null;
      if (picture) pictures.push({ ...picture, durationMs: 0 });
      else if (kind === 'vide' || !(await isPlainSound(file, media))) return null;
      else sounds += 1;
    }
    const [picture, ...others] = pictures;
    if (!picture || others.length > 0 || sounds > 1 || !(seconds > 0)) return null;
    const { width, height } = picture;
    const fits = Math.max(width, height) <= LONG_EDGE && Math.min(width, height) <= SHORT_EDGE;
    return fits ? { width, height, durationMs: Math.round(seconds * 1000) } : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
