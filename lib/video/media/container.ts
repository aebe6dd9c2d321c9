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

/** More than any ordinary file has. */
const MAX_BOXES = 64;

interface Box {
  type: string;
  /** Bytes from the start of the file. */
  offset: number;
  /** Bytes including the header, as the file claims; a truncated file ends earlier. */
  size: number;
}

/**
 * Returns the top-level boxes of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2), at most 64 of them. Stops
 * without an error where the bytes no longer make sense.
 */
export async function listTopLevelBoxes(path: string): Promise<Box[]> {
  const file = await open(path, 'r');
  try {
    const { size: fileSize } = await file.stat();
    const header = Buffer.alloc(16);
    const boxes: Box[] = [];
    for (let offset = 0; boxes.length < MAX_BOXES && offset + 8 <= fileSize; ) {
      const { bytesRead } = await file.read(header, 0, 16, offset);
      const declared = header.readUInt32BE(0);
      // 0: the box extends to the end of the file; 1: a 64-bit size follows the type.
      const size =
        declared === 0
          ? fileSize - offset
          : declared === 1 && bytesRead === 16
            ? Number(header.readBigUInt64BE(8))
            : declared;
      if (size < 8) break;
      boxes.push({ type: header.toString('latin1', 4, 8), offset, size });
      offset += size;
    }
    return boxes;
  } finally {
    await file.close();
  }
}
