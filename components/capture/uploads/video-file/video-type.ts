import { VIDEO_TYPES } from '@/lib/journal/entries/shared/video-types';
import { type Container, HEAD_BYTES, sniffContainer } from './container';
import { isOggSound } from './ogg-tracks';
import { findUnreadableFormat } from './unreadable-formats';

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

/** Types of containers. QuickTime's is told from MP4's by its brand. */
const CONTAINER_TYPES: Readonly<Record<Container, string>> = {
  mp4: 'video/mp4',
  matroska: 'video/x-matroska',
  avi: 'video/x-msvideo',
  asf: 'video/x-ms-asf',
  flv: 'video/x-flv',
  ogg: 'video/ogg',
  'mpeg-ps': 'video/mpeg',
  'mpeg-ts': 'video/mp2t',
};

/** Brands of images and audio (ISO/IEC 14496-12, registered at mp4ra.org). */
const NON_VIDEO_BRANDS = /^ftyp(?:hei[cfmsx]|mif1|msf1|avif|M4[AB] )/;
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
/** A video that can't be played still is one. What it's declared as makes no difference, since it's refused. */
const UNREADABLE_TYPE = 'application/octet-stream';

/** Detects the type by the first bytes; '' if they're unknown, null if it isn't a video. */
function sniffType(head: string): string | null {
  if (findUnreadableFormat(head)) return UNREADABLE_TYPE;
  const container = sniffContainer(head);
  if (container === 'mp4') {
    if (NON_VIDEO_BRANDS.test(head.slice(4))) return null;
    return head.startsWith('qt', 8) ? 'video/quicktime' : CONTAINER_TYPES.mp4;
  }
  if (container === 'ogg' && isOggSound(head)) return null;
  if (container) return CONTAINER_TYPES[container];
  if (head.startsWith('RIFF') && /^(WEBP|WAVE)/.test(head.slice(8))) return null;
  return NON_VIDEO_SIGNATURES.some((start) => head.startsWith(start)) ? null : '';
}

/** Programs in TypeScript have the same extensions as transport streams. */
const TYPESCRIPT_NAME = /\.m?ts$/i;
/** A text has no control characters but those for white space. */
const TEXT = /^[\s\x20-\x7e\x80-\xff]+$/;

/**
 * Returns a video's media type by its first bytes, or else by the type that the browser gives, and by its name.
 * @returns null if it isn't a video
 */
export function detectVideoType(head: Uint8Array, file: { name: string; type: string }): string | null {
  const start = String.fromCharCode(...head);
  if (TYPESCRIPT_NAME.test(file.name) && TEXT.test(start)) return null;
  const found = sniffType(start);
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
