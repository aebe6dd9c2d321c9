import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startNginx } from '@/lab/real/nginx';
import { findProgram, freePorts, type ServerProcess } from '@/lab/real/process';
import { waitUntil } from '@/local/up/processes';
import { sendRaw } from './raw-http';

const program = findProgram('nginx');
/** More than nginx lets through by default, and more than the site takes. */
const PART = Buffer.alloc(20_000_000);
const HALF = 3_000_000;
const SIGNATURE = 'c0ffee-of-a-signature';

describe.skipIf(!program)('storage behind deploy/nginx.conf', () => {
  const dir = mkdtempSync(join(tmpdir(), 'daylight-nginx-storage-'));
  let requests: IncomingMessage[] = [];
  let received = 0;
  const storage = createServer((request, response) => {
    requests.push(request);
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    request.on('end', () => response.end('stored'));
  });
  const sockets: Socket[] = [];
  let nginx: ServerProcess;
  let url: string;
  let port: number;

  beforeAll(async () => {
    storage.listen(0, '127.0.0.1');
    await once(storage, 'listening');
    const ports = await freePorts('site', 'storage');
    port = ports.storage;
    url = `http://127.0.0.1:${port}`;
    nginx = await startNginx({
      program: program ?? '',
      port: ports.site,
      sites: [9],
      storage: { port, storage: (storage.address() as AddressInfo).port },
      dir,
    });
  });
  beforeEach(() => {
    requests = [];
    received = 0;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    await nginx.stop();
    storage.close().closeAllConnections();
    rmSync(dir, { recursive: true, force: true });
  });

  it('takes a part of any size', async () => {
    const answer = await sendRaw(url, { method: 'PUT', path: '/daylight/video', body: PART });
    expect([answer.status, answer.text, received]).toEqual([200, 'stored', PART.length]);
  });

  it('passes an upload on while it arrives, instead of keeping it on its own disk first', async () => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket.on('error', () => undefined));
    socket.write(`PUT /daylight/video HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${HALF * 2}\r\n\r\n`);
    socket.write(PART.subarray(0, HALF));
    expect(await waitUntil(() => received === HALF, 60_000)).toBe(true);
  });

  it('changes nothing that a signature covers', async () => {
    const path = `/daylight//a%2Fb%20c/d?partNumber=1&x=%2F%2f&X-Amz-Signature=${SIGNATURE}`;
    const headers = { host: 'storage.example:8443', range: 'bytes=0-1', 'x-amz-date': '20261127T033000Z' };
    await sendRaw(url, { method: 'GET', path, headers });
    expect(requests.map((request) => request.url)).toEqual([path]);
    expect(requests[0]?.headers).toMatchObject(headers);
  });

  it('logs requests without their signatures, whether they succeed or not', async () => {
    const path = `/daylight/video?X-Amz-Signature=${SIGNATURE}`;
    const headers = { referer: `http://localhost/?${SIGNATURE}` };
    await sendRaw(url, { method: 'GET', path, headers });
    storage.close().closeAllConnections();
    expect((await sendRaw(url, { method: 'GET', path, headers })).status).toBe(502);
    const logged = ['daylight.access.log', 'daylight.error.log', 'nginx.log'].map((name) =>
      readFileSync(join(dir, name), 'utf8'),
    );
    expect(logged.join('')).not.toContain(SIGNATURE);
    expect(logged[0]).toMatch(/ GET \/daylight\/video 200 [\s\S]* GET \/daylight\/video 502 /);
  });
});
