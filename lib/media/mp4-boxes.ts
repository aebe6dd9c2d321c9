import { open } from 'node:fs/promises';

export interface Box {
  type: string;
  /** Bytes from the file's start. */
  offset: number;
  /** Bytes with the header, as the file claims: a truncated file ends before. */
  size: number;
}

/**
 * The outermost boxes of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2), at most `limit` of them. Ends early,
 * without an error, where the bytes stop making sense.
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
      // 0: the box reaches to the file's end; 1: the size stands in 64 bits after the type.
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
