import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type SpeechOptions, transcribe } from '@/lib/clients/speech';
import { SpeechError } from '@/lib/clients/speech-error';

/** What is sent; its file is there while a test runs. */
export const audio = { path: '', fileName: 'a "day".mp3', contentType: 'audio/mpeg' };
/** What closes the servers of a test at its end. */
export const cleanups: (() => Promise<void>)[] = [];

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'speech-client-'));
  audio.path = join(directory, 'day.mp3');
  await writeFile(audio.path, Buffer.alloc(300_000, 7));
});
afterAll(() => rm(directory, { recursive: true }));
afterEach(async () => {
  for (const close of cleanups.splice(0)) await close();
});

type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** A server that reads the request and then does as it is told; answers its address. */
export async function startSpeechServer(handler: Handler): Promise<string> {
  const server = createServer((request, response) => {
    void buffer(request).then(
      (body) => handler(request, response, body),
      // Whoever asks has given up before all of it was sent.
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers with JSON. */
export const respondJson =
  (status: number, answer: unknown, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(answer));
/** Answers with a text. */
export const respondRaw =
  (status: number, answer: string): Handler =>
  (_request, response) =>
    response.writeHead(status).end(answer);

/** Asks a server for a transcript of {@link audio}. */
export const transcribeAudio = (
  baseUrl: string,
  more: Pick<SpeechOptions, 'timeoutMs' | 'idleTimeoutMs' | 'signal'> = {},
) => transcribe({ baseUrl, apiKey: 'key', model: 'whisper-1', language: 'en', ...more }, audio);

/** What a call fails with, which must have a sentence to show. */
export async function expectSpeechError(promise: Promise<unknown>): Promise<SpeechError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SpeechError);
  const speechError = error as SpeechError;
  expect(speechError.message).toMatch(/^[A-Z].*\.$/);
  return speechError;
}
