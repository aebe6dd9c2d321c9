import type { IncomingMessage, ServerResponse } from 'node:http';
import { allCanaries, canaries } from './canaries';

/** Answers a request to the speech service. */
export type ResponseHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Answers with text, or with anything else as JSON. */
export const respondWith =
  (status: number, body: unknown, headers: Record<string, string> = {}): ResponseHandler =>
  (_incoming, outgoing) =>
    outgoing.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
export const spokenWords = canaries.spoken.map((word, index) => ({
  word,
  start: index * 0.1,
  end: index * 0.1 + 0.05,
}));
/** A good answer. */
export const transcriptResponse = respondWith(200, { language: 'english', words: spokenWords });
/** OpenAI's error shape. */
export const openAiError = (code: string) => ({ error: { code, message: allCanaries } });
