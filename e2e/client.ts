import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { z } from 'zod';
import { RETRY_SECONDS } from '@/lib/foundation/contract/errors';
import type { Operation } from '@/lib/foundation/contract/operation';
import { type Entry, getEntry } from '@/lib/journal/entries/contract';
import { completeUpload, presignedUrl } from '@/lib/video/uploads/contract';
import { waitUntil } from '@/local/up/processes';

type OperationResponse<O extends Operation> = O['response'] extends z.ZodType
  ? z.output<O['response']>
  : undefined;

export interface Input {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
}

/** The path of an operation below the site's address, with its parameters and query filled in. */
export function pathOf(operation: Operation, { params = {}, query = {} }: Input = {}): string {
  const path = operation.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? `:${name}`));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return `/api/v1${path}${search.size > 0 ? `?${search}` : ''}`;
}

/** Calls the API as one client, with cookies of its own and an address of its own behind the trusted proxy. */
export interface Client {
  /** Name → value, as the answers have set them. */
  cookies: Map<string, string>;
  /** A bare request below the site's address; redirects are not followed. */
  send(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** Sends an operation and gives whatever answer comes. */
  sendOperation(operation: Operation, input?: Input, headers?: Record<string, string>): Promise<Response>;
  /** Sends an operation; throws unless it succeeds with an answer that fits its contract. */
  call<O extends Operation>(operation: O, input?: Input): Promise<OperationResponse<O>>;
}

let clientCount = 0;
/**
 * Returns an address of the block for documentation (3fff::/20, RFC 9637), in a /48 network of its own for each client
 * of each worker, so that no test uses up another's tries.
 */
export function newIpAddress(): string {
  clientCount += 1;
  return `3fff:${(process.pid % 4096).toString(16)}:${clientCount.toString(16)}::1`;
}

export function createClient(site: string): Client {
  const cookies = new Map<string, string>();
  const address = newIpAddress();
  const client: Client = {
    cookies,
    send: async (method, path, init = {}) => {
      const headers = new Headers(init.headers);
      if (cookies.size > 0 && !headers.has('cookie')) {
        headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
      }
      // As a browser would on our own page: a GET that changes something is refused without.
      if (!headers.has('origin') && !headers.has('referer')) headers.set('referer', `${site}/`);
      if (!headers.has('x-forwarded-for')) headers.set('x-forwarded-for', address);
      const response = await fetch(new URL(path, site), { redirect: 'manual', ...init, method, headers });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (name && value) cookies.set(name, value);
        else if (name) cookies.delete(name);
      }
      return response;
    },
    sendOperation: (operation, input, headers) =>
      client.send(operation.method, pathOf(operation, input), {
        headers: { ...(input?.body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(input?.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      }),
    call: async (operation, input) => {
      const response = await client.sendOperation(operation, input);
      const text = await response.text();
      if (response.status !== (operation.status ?? 200)) {
        throw new Error(`${operation.method} ${operation.path} answered ${response.status}: ${text}`);
      }
      return (operation.response ? operation.response.parse(JSON.parse(text)) : undefined) as never;
    },
  };
  return client;
}

/**
 * Sends a request again for as long as the server has too much to do and asks for that, as a slow machine does beside
 * other tests. A limit that's used up asks for more time. @returns the first other answer
 */
export async function sendUntilServed(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await send();
    if (Number(answer.headers.get('retry-after')) !== RETRY_SECONDS) return answer;
    await setTimeout(RETRY_SECONDS * 1000);
  }
}

export interface Upload {
  title?: string;
  /** `YYYY-MM-DD` */
  date?: string;
  contentType?: string;
  fileName?: string;
}

/** Sends a file as the browser does: the reservation, the form to storage, the note that it is done. Returns the entry's id. */
export async function uploadVideo(client: Client, path: string, upload: Upload = {}): Promise<string> {
  const bytes = await readFile(path);
  const contentType = upload.contentType ?? 'video/mp4';
  const { presignedData, metadata } = await client.call(presignedUrl, {
    query: {
      title: upload.title ?? 'A day',
      journal_date: upload.date ?? '2026-03-01',
      file_name: upload.fileName ?? basename(path),
      content_type: contentType,
      size: bytes.length,
    },
  });
  const form = new FormData();
  for (const [name, value] of Object.entries(presignedData.fields)) form.append(name, value);
  form.append('file', new Blob([bytes], { type: contentType }), upload.fileName ?? basename(path));
  const stored = await fetch(presignedData.url, { method: 'POST', body: form });
  if (!stored.ok) throw new Error(`storage answered ${stored.status}: ${await stored.text()}`);
  await client.call(completeUpload, { params: { id: metadata.entryId } });
  return metadata.entryId;
}

/** How far an entry must have come: its video to its end, or its transcript as well. */
export type ProcessingStage = 'video' | 'transcript';

/** Waits until the jobs of an entry have ended, well or not, and gives the entry. */
export async function waitForProcessing(
  client: Client,
  id: string,
  stage: ProcessingStage = 'video',
): Promise<Entry> {
  const ended = (entry: Entry) =>
    ['ready', 'failed'].includes(entry.videoStatus) &&
    (stage === 'video' || entry.transcription.status !== 'processing');
  let entry = await client.call(getEntry, { params: { id } });
  const inTime = await waitUntil(
    async () => {
      entry = await client.call(getEntry, { params: { id } });
      return ended(entry);
    },
    100_000,
    250,
  );
  if (!inTime) throw new Error(`The entry is still ${entry.videoStatus} (${entry.transcription.status}).`);
  return entry;
}
