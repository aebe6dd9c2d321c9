/** A kind of file that videos are in. */
export type Container = 'mp4' | 'matroska' | 'avi' | 'asf' | 'flv' | 'ogg' | 'mpeg-ps' | 'mpeg-ts';

/** How many of a file's first bytes tell what it is. */
export const HEAD_BYTES = 512;

/** Boxes that QuickTime files may start with; newer ones start with `ftyp`. */
const FIRST_BOXES = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);

const SIGNATURES: readonly (readonly [start: string, container: Container])[] = [
  ['\x1aE\xdf\xa3', 'matroska'],
  ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'asf'],
  ['FLV\x01', 'flv'],
  ['OggS', 'ogg'],
  ['\0\0\x01\xba', 'mpeg-ps'],
  ['\0\0\x01\xb3', 'mpeg-ps'],
];

/** Packets of transport streams, and those with a time of four bytes before each, start with this byte. */
const SYNC_BYTE = 'G';
const SYNC_PLACES = [
  [0, 188, 376],
  [4, 196, 388],
] as const;

/**
 * Returns what a file is by its first bytes, with a character for each; null if that isn't known. Images and sound may be
 * in the same kinds of files.
 */
export function sniffContainer(head: string): Container | null {
  if (FIRST_BOXES.has(head.slice(4, 8))) return 'mp4';
  if (head.startsWith('RIFF') && head.startsWith('AVI ', 8)) return 'avi';
  const known = SIGNATURES.find(([start]) => head.startsWith(start));
  if (known) return known[1];
  const isStream = SYNC_PLACES.some((places) => places.every((at) => head[at] === SYNC_BYTE));
  return isStream ? 'mpeg-ts' : null;
}
