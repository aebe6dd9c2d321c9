import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface RawRequest {
  method: string;
  /** Replaces the path of the address, which would otherwise be made a valid one. */
  path?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Sends the body in chunks, without saying how long it will be. */
  chunked?: boolean;
}

const CHUNK = 64 * 1024;

/** Sends a request over a connection of its own, which may be answered before the body was sent in full. */
export function sendRaw(
  url: string,
  { method, path, headers = {}, body = '', chunked }: RawRequest,
): Promise<RawResponse> {
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    let answered = false;
    const request = httpRequest(
      url,
      {
        method,
        agent: false,
        ...(path === undefined ? {} : { path }),
        headers: {
          ...headers,
          ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes.length }),
        },
      },
      (response) => {
        answered = true;
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.once('error', reject);
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
          request.destroy();
        });
      },
    );
    // The connection is closed under a sender that doesn't stop; that's no error once it has its answer.
    request.on('error', (error) => answered || reject(error));
    let sent = 0;
    const more = () => {
      while (sent < bytes.length && !request.destroyed) {
        const part = bytes.subarray(sent, sent + CHUNK);
        sent += part.length;
        if (!request.write(part)) {
          request.once('drain', more);
          return;
        }
      }
      request.end();
    };
    more();
  });
}

/** Writes raw bytes to a server and returns everything it answers until it closes the connection. */
export function sendRawBytes(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(text));
  });
}

/** Starts to send a body of `declared` bytes, and disconnects once `sent` of them have left. */
export function disconnectWhileSending(
  url: string,
  head: string,
  declared: number,
  sent: number,
): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const text = `${head}\r\nHost: ${hostname}\r\nContent-Length: ${declared}\r\n\r\n${'x'.repeat(sent)}`;
      socket.write(text, () => socket.resetAndDestroy());
    });
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}
