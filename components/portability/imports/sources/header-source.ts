import type { SourceFile } from './source-file';

/** Where a compressed video's header is, unless its recorder put it at the end. */
const START_BYTES = 1_000_000;
/** The largest compressed video that's inflated whole for its header. */
const MAX_INFLATED_BYTES = 1_000_000_000;

/** Whether an MP4 file has its header at the start: a box `moov` before the pictures, `mdat`. */
function hasHeader(start: Uint8Array): boolean {
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  for (let at = 0; at + 8 <= start.length; ) {
    const type = String.fromCharCode(...start.subarray(at + 4, at + 8));
    if (type === 'moov') return true;
    if (type === 'mdat' || !/^[a-z]{4}$/.test(type)) return type !== 'mdat';
    at += Math.max(8, view.getUint32(at));
  }
  return true;
}

/**
 * Returns what has a video's header: the file, or a compressed one's start. One with its header at the end has to be
 * inflated whole, which is only done if nothing better has the date.
 * @throws ArchiveProblem if it's damaged; DOMException if it can't be read
 */
export async function readHeaderSource(file: SourceFile, hasSidecar: boolean): Promise<Blob> {
  if (file.isPlain) return file.open();
  const start = await file.readStart(START_BYTES);
  const isEnough = start.length === file.size || hasSidecar || hasHeader(start);
  return isEnough || file.size > MAX_INFLATED_BYTES ? new Blob([new Uint8Array(start)]) : file.open();
}
