import { open } from 'node:fs/promises';

export interface Box {
  type: string;
  /** Bytes from the start of the file. */
  offset: number;
  /** Bytes including the header, as the file claims; a truncated file ends earlier. */
  size: number;
}

/**
 * Returns the top-level boxes of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2), at most `limit` of them. Stops
 * without an error where the bytes no longer make sense.
 */
export async function listTopLevelBoxes(path: string, limit = 64): Promise<Box[]> {
  const file = await open(path, 'r');
  try {
    const { size: fileSize } = await file.stat();
    const header = Buffer.alloc(16);
    const boxes: Box[] = [];
    for (let offset = 0; boxes.length < limit && offset + 8 <= fileSize; ) {
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
