import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { projectRoot } from '@/local/up/data-dir';

interface Recorder {
  url: string;
  /** What a page has sent last, by store. */
  kept: Map<string, Buffer>;
  close(): void;
}

/** Serves the page that records, and takes what it recovers. */
export async function serveRecorder(): Promise<Recorder> {
  const kept = new Map<string, Buffer>();
  const script = readFileSync(join(projectRoot, 'lab', 'browsers', 'recording-page.js'));
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (request.method === 'PUT') {
      kept.set(path.slice(1), await buffer(request));
      response.end();
    } else if (path === '/script') {
      response.setHeader('content-type', 'text/javascript').end(script);
    } else {
      response.setHeader('content-type', 'text/html').end('<!doctype html><script src="/script"></script>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, kept, close: () => server.close() };
}
