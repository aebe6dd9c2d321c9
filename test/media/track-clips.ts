import { box, element, joined, movieHeader, uint32 } from './small-clips';

/** Returns a sample entry of pictures (ISO/IEC 14496-12, 12.1.3.2). */
export const visualEntry = (type: string, ...boxes: Uint8Array[]) => box(type, Buffer.alloc(78), ...boxes);

/** Returns a sample entry of sound (ISO/IEC 14496-12, 12.2.3.2). */
export const soundEntry = (type: string) => box(type, Buffer.alloc(28));

/** Returns a `trak` with these sample entries. */
export function trackBox(handler: string, ...entries: Uint8Array[]): Buffer {
  const hdlr = box('hdlr', uint32(0), uint32(0), handler, Buffer.alloc(13));
  const stsd = box('stsd', uint32(0), uint32(entries.length), ...entries);
  return box('trak', box('mdia', hdlr, box('minf', box('stbl', stsd))));
}

/** Returns an MP4 file with these tracks, with its header at the end. */
export const mp4WithTracks = (...tracks: Uint8Array[]) =>
  joined([
    box('ftyp', 'isom', uint32(0), 'isom'),
    box('mdat', Buffer.alloc(64)),
    box('moov', movieHeader({}), ...tracks),
  ]);

/** Returns what `sinf` says of an encrypted entry that had this format. */
export const protection = (format: string) =>
  box('sinf', box('frma', format), box('schm', uint32(0), 'cenc', uint32(0x10000)));

/** Returns a Dolby Vision configuration record. */
const dolbyVisionRecord = (profile: number, compatibility: number) =>
  Buffer.from([1, 0, profile << 1, (6 << 3) | 5, compatibility << 4, ...Buffer.alloc(19)]);

/** Returns a box with a Dolby Vision configuration record, as its profile wants. */
export const dolbyVisionBox = (profile: number, compatibility = 0) =>
  box(profile <= 7 ? 'dvcC' : profile <= 10 ? 'dvvC' : 'dvwC', dolbyVisionRecord(profile, compatibility));

/** Returns a TrackEntry of Matroska. */
export const trackEntry = (type: number, codec: string, ...more: Uint8Array[]) =>
  element([0xae], element([0x83], Buffer.from([type])), element([0x86], codec), ...more);

/** Returns Matroska's ContentEncodings with one of a type: 0 compresses, and 1 encrypts. */
export const contentEncodings = (type: number) =>
  element([0x6d, 0x80], element([0x62, 0x40], element([0x50, 0x33], Buffer.from([type]))));

/** Returns what Matroska has of Dolby Vision. */
export const dolbyVisionMapping = (profile: number) =>
  element([0x41, 0xe4], element([0x41, 0xe7], 'dvcC'), element([0x41, 0xed], dolbyVisionRecord(profile, 0)));

/** Returns a Matroska file with these tracks. */
export const matroskaWithTracks = (...entries: Uint8Array[]) =>
  joined([
    element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], 'matroska')),
    element(
      [0x18, 0x53, 0x80, 0x67],
      element([0x16, 0x54, 0xae, 0x6b], ...entries),
      element([0x1f, 0x43, 0xb6, 0x75], Buffer.alloc(64)),
    ),
  ]);

/** Returns a tag of a Flash video (Annex E.4.1), and the length that follows it. */
export function flashTag(type: number, data: Uint8Array): Buffer {
  const size = uint32(data.length).subarray(1);
  return joined([Buffer.from([type]), size, Buffer.alloc(7), data, uint32(data.length + 11)]);
}

/** Returns a Flash video with these tags. */
export const flashVideo = (...tags: Uint8Array[]) =>
  joined(['FLV\x01', Buffer.from([5]), uint32(9), uint32(0), ...tags]);

/** Returns a copy in which the first of these bytes are replaced. @throws Error if they aren't there */
export function replaced(file: Buffer, from: readonly number[], to: readonly number[]): Buffer {
  const at = file.indexOf(Buffer.from(from));
  if (at < 0) throw new Error('not found');
  const copy = Buffer.from(file);
  copy.set(to, at);
  return copy;
}
