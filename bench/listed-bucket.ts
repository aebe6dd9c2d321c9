import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const NAMES = ['source', 'storyboard.jpg', 'thumbnail.jpg', 'video.mp4'];
const PAGE = 1000;

/** What a bucket holds of an entry. */
export interface ListedEntry {
  /** `entries/<account>/<entry>/` */
  folder: string;
  /** Of the original, in bytes. */
  bytes: number;
}

/** Returns the index of the first element that a test holds for; it holds for all after that. */
function firstIndex<T>(sorted: readonly T[], test: (one: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Starts a bucket that only answers listings, of four objects for each entry: storage with a million entries would take
 * longer to fill than to compare.
 * @param entries sorted by their folders
 */
export async function startListedBucket(entries: readonly ListedEntry[]) {
  let requests = 0;
  const modified = new Date(Date.now() - 30 * 24 * 3600 * 1000).toISOString();
  const server = createServer((request, response) => {
    requests += 1;
    const query = new URL(request.url ?? '', 'http://bucket').searchParams;
    response.setHeader('content-type', 'application/xml');
    if (query.has('uploads')) {
      response.end(
        '<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>',
      );
      return;
    }
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const keys: { key: string; size: number }[] = [];
    const start = firstIndex(entries, ({ folder }) => `${folder}~` > after && folder >= prefix);
    for (const { folder, bytes } of entries.slice(start, start + PAGE)) {
      for (const name of NAMES) {
        const key = folder + name;
        if (key > after && key.startsWith(prefix)) keys.push({ key, size: name === 'source' ? bytes : 1000 });
      }
      if (keys.length > PAGE) break;
    }
    const page = keys.slice(0, PAGE);
    const contents = page.map(
      ({ key, size }) =>
        `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified><ETag>"0"</ETag><Size>${size}</Size></Contents>`,
    );
    const isTruncated = keys.length > PAGE;
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)?.key}</NextContinuationToken>` : '';
    response.end(
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    countRequests: () => requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
