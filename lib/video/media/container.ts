import { open } from 'node:fs/promises';

export type Container =
  | 'mp4'
  | 'mov'
  | 'webm'
  | 'matroska'
  | 'avi'
  | 'mpegts'
  | 'mpeg'
  | 'asf'
  | 'flv'
  | 'ogg';

/** The demuxers that read what strangers upload, by ffmpeg's names. MP4 includes QuickTime and 3GP. */
export const DEMUXERS = ['mov', 'matroska', 'webm', 'avi', 'mpegts', 'mpeg', 'asf', 'flv', 'ogg'];

/**
 * Returns a file's container.
 * @param format what ffprobe says: the names of its demuxer, and an MP4's major brand
 */
export async function containerOf(
  path: string,
  format: { names: string; brand: string },
): Promise<Container> {
  const [name = ''] = format.names.split(',');
  if (name === 'mov') return format.brand.trim() === 'qt' ? 'mov' : 'mp4';
  return name === 'matroska' ? matroskaKind(path) : (name as Container);
}

/** Returns whether a file is WebM: Matroska whose header says so (DocType, RFC 9559, 5.1) in its first bytes. */
async function matroskaKind(path: string): Promise<'webm' | 'matroska'> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString('latin1', 0, bytesRead).includes('webm') ? 'webm' : 'matroska';
  } finally {
    await file.close();
  }
}
