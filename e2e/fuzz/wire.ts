import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { WireRequest } from '@/test/fuzz/request-parser';

export interface WireResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request exactly as it is: unlike `fetch`, without making its path a valid one. */
export function sendWireRequest(
  site: string,
  { method, path, headers, body }: WireRequest,
): Promise<WireResponse> {
  const { hostname, port } = new URL(site);
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, method, path, headers: { ...headers, ...length } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
