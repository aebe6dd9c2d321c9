import { videoType } from './video-type';

const ascii = (bytes: Uint8Array, start: number, end: number) =>
  String.fromCharCode(...bytes.subarray(start, end));

/** Boxes that QuickTime files may begin with; newer ones begin with `ftyp`. */
const FIRST_BOXES = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);
/** Brands of pictures and of sound alone (ISO/IEC 14496-12, registered at mp4ra.org). */
const NON_VIDEO_BRANDS = /^(hei[cfmsx]|mif1|msf1|avif|M4[AB] )$/;
/** First bytes of what people confuse with videos: pictures, documents, archives, sound. */
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
const NON_VIDEO_RIFF_FORMS = ['WEBP', 'WAVE'];

/** The type that the first bytes tell; '' when they tell nothing, null when they are those of something else. */
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
    return form === 'AVI ' ? 'video/x-msvideo' : NON_VIDEO_RIFF_FORMS.includes(form) ? null : '';
  }
  return NON_VIDEO_SIGNATURES.some((start) => text.startsWith(start)) ? null : '';
}

/**
 * The file as a video, judged by its content where that tells anything, else by its declared type and its name.
 * What this browser cannot play is accepted all the same.
 * @returns the file, with a type where it had none of a video; null when it is none
 */
export async function asVideo(file: File): Promise<File | null> {
  const head = await file
    .slice(0, 16)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0));
  const found = sniffType(new Uint8Array(head));
  if (found === null) return null;
  if (videoType(file)) return file;
  return found ? new File([file], file.name, { type: found, lastModified: file.lastModified }) : null;
}
