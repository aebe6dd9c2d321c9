import type { ReadSpeechFile, SpeechFile } from '@/lib/video/speech/types';

/** A file of the engine on our own origin. Its address has a hash of its content. */
export interface ServedFile {
  file: SpeechFile;
  path: string;
  bytes: number;
}

const CACHE = 'daylight-speech';
/** Enough to use the connection, few enough to show progress. */
const AT_ONCE = 3;

/** Thrown when a file can't be downloaded. */
export class DownloadError extends Error {
  override name = 'DownloadError';
}

/** Downloads a file. @throws DownloadError */
async function download(
  { path, bytes }: ServedFile,
  onBytes: (count: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const content = new Uint8Array(bytes);
  let length = 0;
  try {
    const response = await fetch(path);
    if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      content.set(value, length);
      length += value.length;
      onBytes(value.length);
    }
    if (length !== bytes) throw new Error(`${length} bytes instead of ${bytes}`);
  } catch (error) {
    throw new DownloadError(`Failed to download ${path}`, { cause: error });
  }
  return content;
}

/** Removes files of other versions. */
async function removeOthers(cache: Cache, files: readonly ServedFile[]): Promise<void> {
  const current = new Set(files.map(({ path }) => path));
  for (const request of await cache.keys()) {
    if (!current.has(new URL(request.url).pathname)) await cache.delete(request);
  }
}

/**
 * Downloads what this browser doesn't have yet, and keeps it for later visits, also without a network.
 * @param onProgress called with the bytes that are here now
 * @returns how to read a file
 * @throws DownloadError; DOMException `QuotaExceededError` if this device is full
 */
export async function cacheModels(
  files: readonly ServedFile[],
  onProgress: (bytes: number) => void,
): Promise<ReadSpeechFile> {
  const cache = await caches.open(CACHE);
  let loaded = 0;
  const add = (count: number) => {
    loaded += count;
    onProgress(loaded);
  };
  const missing: ServedFile[] = [];
  for (const file of files) {
    if (await cache.match(file.path)) add(file.bytes);
    else missing.push(file);
  }
  const downloadMissing = async () => {
    for (let file = missing.shift(); file; file = missing.shift())
      await cache.put(file.path, new Response(await download(file, add)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, downloadMissing));
  await removeOthers(cache, files);
  const paths = new Map(files.map(({ file, path }) => [file, path]));
  return async (file) => {
    const kept = await cache.match(paths.get(file) ?? '');
    if (!kept) throw new DownloadError(`No ${file} in the cache`);
    return new Uint8Array(await kept.arrayBuffer());
  };
}

/** Returns the size in bytes of the models that are on this device. */
export async function countCachedBytes(): Promise<number> {
  if (!(await caches.has(CACHE))) return 0;
  const cache = await caches.open(CACHE);
  const responses = await cache.matchAll();
  const sizes = await Promise.all(responses.map(async (response) => (await response.blob()).size));
  return sizes.reduce((total, size) => total + size, 0);
}

/** Removes the models from this device. They're downloaded again when they're needed. */
export async function removeCachedModels(): Promise<void> {
  await caches.delete(CACHE);
}
