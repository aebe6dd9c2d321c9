import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startNginx } from '@/lab/real/nginx';
import { findProgram, freePorts, type ServerProcess } from '@/lab/real/process';
import { waitUntil } from '@/local/up/processes';
import { sendRaw } from './raw-http';

const program = findProgram('nginx');
/** A large page. */
const PAGE = Buffer.alloc(250_000);
/** More than nginx and the system take while nobody reads. */
const LARGE = Buffer.alloc(30_000_000);
const SECRET = 'My-secret-day';

describe.skipIf(!program)('deploy/nginx.conf', () => {
  const dir = mkdtempSync(join(tmpdir(), 'daylight-nginx-'));
  const requests: IncomingMessage[] = [];
  const responses: ServerResponse[] = [];
  const app = createServer((request, response) => {
    requests.push(request);
    responses.push(response);
    request.resume();
    if (request.url?.startsWith('/page')) response.end(PAGE);
    else if (request.url?.startsWith('/large')) response.end(LARGE);
    else response.end('hello');
  });
  const sockets: Socket[] = [];
  let nginx: ServerProcess;
  let url: string;
  let port: number;

  beforeAll(async () => {
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    const ports = await freePorts('proxy');
    port = ports.proxy;
    url = `http://127.0.0.1:${port}`;
    nginx = await startNginx({
      program: program ?? '',
      port,
      // The second is down.
      sites: [(app.address() as AddressInfo).port, 9],
      dir,
      edit: (settings) => settings.replace(/(_timeout) 20s;/g, '$1 1s;'),
    });
  });
  beforeEach(() => {
    requests.length = 0;
    responses.length = 0;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    await nginx.stop();
    app.close().closeAllConnections();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Sends bytes, and reads nothing. */
  const send = (bytes: string) => {
    const socket = connect(port, '127.0.0.1').pause();
    sockets.push(socket.on('error', () => undefined));
    socket.write(bytes);
    return socket;
  };

  it('closes the connections of clients that don’t send the rest, and tells the app nothing of them', async () => {
    const halves = [
      send('GET /half HTTP/1.1\r\nHost: localhost\r\n').resume(),
      send('POST /half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf').resume(),
    ];
    await Promise.all(halves.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    expect(requests).toEqual([]);
  });

  it('takes a page off the app’s hands although its client doesn’t read it', async () => {
    send('GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const isDone = () => responses.some(({ writableFinished }) => writableFinished);
    expect(await waitUntil(isDone, 60_000)).toBe(true);
  });

  it('gives up on a client that has stopped reading, and lets the app know', async () => {
    const socket = send('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
    socket.pause();
    expect(await waitUntil(() => responses.some(({ closed }) => closed), 60_000)).toBe(true);
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect(size).toBeLessThan(LARGE.length);
  });

  it('asks the app for no other protocol', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    const answer = await sendRaw(url, { method: 'GET', path: '/', headers });
    expect([answer.status, answer.text]).toEqual([200, 'hello']);
    expect(requests.map(({ headers }) => headers.upgrade)).toEqual([undefined]);
  });

  it('logs requests without what’s private in their addresses, whether they succeed or not', async () => {
    const headers = { referer: `http://localhost/entry/1/${SECRET}?${SECRET}` };
    const paths = [
      `/api/v1/presigned_url?title=${SECRET}`,
      `/entry/1/${SECRET}`,
      `/reset/2/${SECRET}/`,
      `/reminders/off/${SECRET}`,
    ];
    for (const path of paths) await sendRaw(url, { method: 'GET', path, headers });
    expect(requests.length).toBe(4);
    // Neither process answers.
    app.close().closeAllConnections();
    const failed = await sendRaw(url, { method: 'GET', path: paths[0] ?? '', headers });
    expect(failed.status).toBe(502);
    const logged = ['daylight.access.log', 'daylight.error.log', 'nginx.log'].map((name) =>
      readFileSync(join(dir, name), 'utf8'),
    );
    expect(logged.join('')).not.toContain(SECRET);
    expect(logged[0]).toMatch(
      / GET \/api\/v1\/presigned_url 200 [\s\S]* GET \/entry\/1 200 [\s\S]* GET \/reset\/2 200 /,
    );
    expect(logged[0]).toMatch(/ GET \/api\/v1\/presigned_url 502 /);
  });
});
