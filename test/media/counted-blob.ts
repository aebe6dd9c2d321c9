/** Returns a blob that counts what's read of it. */
export function countedBlob(content: Uint8Array): { blob: Blob; counts: { reads: number; bytes: number } } {
  const blob = new Blob([new Uint8Array(content)]);
  const counts = { reads: 0, bytes: 0 };
  const slice = blob.slice.bind(blob);
  blob.slice = (start = 0, end = blob.size, type) => {
    counts.reads += 1;
    counts.bytes += Math.max(0, Math.min(end, blob.size) - start);
    return slice(start, end, type);
  };
  return { blob, counts };
}
