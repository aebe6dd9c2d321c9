import type { IncomingMessage, ServerResponse } from 'node:http';

/** What happens while a request is worked on. */
interface WorkEvents {
  /** Called with 1 when the work begins or goes on, and with -1 when it ends or rests. */
  count(change: 1 | -1): void;
  /** Called when the work could go on after all of the body has arrived. Must call `work` once. */
  waitForTurn(work: () => void): void;
}

const hasBody = ({ headers, complete }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Calls `onRead` when something begins to read a request's body. */
function whenRead(request: IncomingMessage, onRead: () => void): void {
  request.on('newListener', (event) => {
    if (event === 'data' || event === 'readable') onRead();
  });
}

/** Calls `onEnd` in place of the end of a request's body, with a function that lets its readers have it. */
function interceptEnd(request: IncomingMessage, onEnd: (deliver: () => void) => void): void {
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (chunk !== null) return push(chunk, encoding);
    onEnd(() => push(null));
    return false;
  };
}

/** Calls `onWait` when an answer has to wait for its client to read, and `onEnd` when all of it has been written. */
function watchAnswer(response: ServerResponse, onWait: () => void, onEnd: () => void): void {
  const write = response.write.bind(response) as (...values: unknown[]) => boolean;
  const end = response.end.bind(response) as (...values: unknown[]) => ServerResponse;
  response.write = (...values: unknown[]) => {
    const isTaken = write(...values);
    if (!isTaken) onWait();
    return isTaken;
  };
  response.end = (...values: unknown[]) => {
    const ended = end(...values);
    onEnd();
    return ended;
  };
}

/**
 * Tells when a request takes the process's time. Not while its handler waits for the rest of its body, nor while its answer
 * waits for the client to read, nor after that has been written: a client that's slow on purpose would occupy a place for
 * nothing. Call it before the request is handled.
 */
export function trackWork(
  request: IncomingMessage,
  response: ServerResponse,
  { count, waitForTurn }: WorkEvents,
): void {
  let isWorking = false;
  let isOver = false;
  const work = () => {
    if (isWorking || isOver) return;
    isWorking = true;
    count(1);
  };
  const rest = () => {
    if (!isWorking) return;
    isWorking = false;
    count(-1);
  };
  const end = () => {
    isOver = true;
    rest();
  };
  watchAnswer(response, rest, end);
  response.on('drain', work);
  response.once('close', end);
  work();
  if (!hasBody(request)) return;
  whenRead(request, () => {
    if (!request.complete) rest();
  });
  interceptEnd(request, (deliver) => {
    if (isWorking || isOver) return deliver();
    waitForTurn(() => {
      work();
      deliver();
    });
  });
}
