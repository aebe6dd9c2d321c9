import { VIDEO_TYPES } from '@/lib/journal/entries/shared/video-types';

/**
 * Returns the media type to declare for a file, without parameters; guessed from the extension if the browser gives
 * none. The server checks the content in any case.
 * @returns null if it isn't a video
 */
export function videoType(file: { name: string; type: string }): string | null {
  const [declared = ''] = file.type.toLowerCase().split(';');
  if (declared.startsWith('video/')) return declared.trim();
  if (declared) return null;
  const extension = /\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase() ?? '';
  return VIDEO_TYPES.get(extension) ?? null;
}

const ascii = (bytes: Uint8Array, start: number, end: number) =>
  String.fromCharCode(...bytes.subarray(start, end));

/** Boxes that QuickTime files may start with; newer ones start with `ftyp`. */
const FIRST_BOXES = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);
/** Brands of images and audio (ISO/IEC 14496-12, registered at mp4ra.org). */
const NON_VIDEO_BRANDS = /^(hei[cfmsx]|mif1|msf1|avif|M4[AB] )$/;
/** Signatures of files that people mistake for videos: images, documents, archives, audio. */
const NON_VIDEO_SIGNATURES = [
  '\x89PNG',
  '\xff\xd8\xff',
  'GIF8',
  '%PDF',
  'PK\x03\x04',
  'ID3',
  'fLaC',
  '{\\rtf',
];

/** Detects the type by the first bytes; '' if they're unknown, null if it isn't a video. */
function sniffType(head: Uint8Array): string | null {
  const text = ascii(head, 0, 16);
  const box = ascii(head, 4, 8);
  if (box === 'ftyp' && NON_VIDEO_BRANDS.test(ascii(head, 8, 12))) return null;
  if (FIRST_BOXES.has(box)) return ascii(head, 8, 10) === 'qt' ? 'video/quicktime' : 'video/mp4';
  if (text.startsWith('\x1aE\xdf\xa3')) return 'video/x-matroska';
  if (text.startsWith('\0\0\x01\xba') || text.startsWith('\0\0\x01\xb3')) return 'video/mpeg';
  if (text.startsWith('FLV\x01')) return 'video/x-flv';
  if (text.startsWith('RIFF')) {
    const form = ascii(head, 8, 12);
    return form === 'AVI ' ? 'video/x-msvideo' : /^(WEBP|WAVE)$/.test(form) ? null : '';
  }
  return NON_VIDEO_SIGNATURES.some((start) => text.startsWith(start)) ? null : '';
}

/** How many of a file's first bytes tell its type. */
export const HEAD_BYTES = 16;

/**
 * Returns a video's media type by its first bytes, or else by the type that the browser gives, and by its name.
 * @returns null if it isn't a video
 */
export function detectVideoType(head: Uint8Array, file: { name: string; type: string }): string | null {
  const found = sniffType(head);
  return found === null ? null : videoType(file) || found || null;
}

/**
 * Returns the file with a video's media type, which every upload needs, or null if it isn't a video. Judges its content
 * if possible, else its type and name. Accepts videos that this browser can't play.
 */
export async function asVideo(file: File): Promise<File | null> {
  if (file.size === 0) return null;
  const head = await file
    .slice(0, HEAD_BYTES)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0));
  const type = detectVideoType(new Uint8Array(head), file);
  if (!type || type === file.type) return type ? file : null;
  return new File([file], file.name, { type, lastModified: file.lastModified });
}
