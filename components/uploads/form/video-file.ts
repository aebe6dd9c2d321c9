/** Types of video files that browsers and systems often leave without one. */
const BY_EXTENSION: Record<string, string> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  qt: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  avi: 'video/x-msvideo',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  ogv: 'video/ogg',
  '3gp': 'video/3gpp',
  ts: 'video/mp2t',
  mts: 'video/mp2t',
  wmv: 'video/x-ms-wmv',
};

/**
 * The media type to declare for a file, without parameters; guessed from the extension when the browser gives none.
 * The server looks at the content in any case.
 * @returns null when it is not a video
 */
export function videoType(file: { name: string; type: string }): string | null {
  const [declared = ''] = file.type.toLowerCase().split(';');
  if (declared.startsWith('video/')) return declared.trim();
  if (declared) return null;
  const extension = /\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase() ?? '';
  return BY_EXTENSION[extension] ?? null;
}

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
