import { startAwakeTimer } from '@/lib/foundation/awake-timer';

/** What to do about a server that doesn't answer. */
export interface AnswerTimeout {
  /** How long it may take, in milliseconds. */
  answerMs: number;
  onSilence: () => void;
}

/** postgres.js's queries, with what its types omit. `handler` sends the query, once somebody waits for it. */
export interface PendingQuery extends Promise<unknown> {
  handler: ((query: PendingQuery) => void) & { debug?: unknown };
  reject(error: Error): void;
}

/** Creates an error with a driver's code. */
export const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

/** Replaces how a query is sent. */
export function sendWith<Query>(
  query: Query,
  send: (send: () => void, pending: PendingQuery) => void,
): Query {
  const pending = query as PendingQuery;
  const { handler } = pending;
  pending.handler = Object.assign((sent: PendingQuery) => send(() => handler(sent), sent), {
    debug: handler.debug,
  });
  return query;
}

/** Calls `then` at a query's end, without sending it. @param succeeded called instead if it has succeeded */
export const onSettled = (pending: PendingQuery, then: () => void, succeeded = then) =>
  Promise.prototype.then.call(pending, succeeded, then);

/** Starts the time for an answer. Calls `fail`, and reports the silence, unless what it returns is called before. */
export function startAnswerTimer(
  { answerMs, onSilence }: AnswerTimeout,
  fail: (error: Error) => void,
): () => void {
  return startAwakeTimer(() => {
    fail(failure('ETIMEDOUT', 'The database did not answer in time.'));
    onSilence();
  }, answerMs);
}

/** Rejects a query that the server doesn't answer in time. */
export function answeredInTime<Query>(query: Query, timeout: AnswerTimeout): Query {
  return sendWith(query, (send, pending) => {
    onSettled(
      pending,
      startAnswerTimer(timeout, (error) => pending.reject(error)),
    );
    send();
  });
}
