import type { IncomingMessage, ServerResponse } from 'node:http';
import { everything, planted } from './phrases';

/** Answers a request to the speech service. */
export type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Answers with text, or with anything else as JSON. */
export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Respond =>
  (_incoming, outgoing) =>
    outgoing.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
export const spokenWords = planted.spoken.map((word, index) => ({
  word,
  start: index * 0.1,
  end: index * 0.1 + 0.05,
}));
/** A good answer. */
export const heard = answer(200, { language: 'english', words: spokenWords });
/** OpenAI's error shape. */
export const openAiError = (code: string) => ({ error: { code, message: everything } });
