import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/**
 * How many requests a process works on at once: few if it's saturated, just enough to fill the waits for the database, since
 * with more, each one takes longer and none is answered sooner. Otherwise they're waiting for something else, and a limit
 * only keeps a burst from becoming seconds of work.
 */
const CONCURRENCY = { saturated: 32, idle: 128 };

/** How many requests may wait for their turn. */
const QUEUE_LENGTH = 512;

/**
 * How long a request waits for its turn, in milliseconds: long enough for a burst to pass, and only briefly if the queue
 * hasn't been empty for {@link STANDING_MS}. A queue that never empties makes everybody wait and helps nobody (CoDel, RFC
 * 8289; its use in servers: “Fail at Scale”, ACM Queue 13.8).
 */
const BURST_WAIT_MS = 500;
const STANDING_WAIT_MS = 100;
const STANDING_MS = 1000;

/**
 * The share of its time that the event loop must work for the process to count as saturated, how often to look, and for how
 * long it counts. In between, all that it works on may be waiting for the database at once.
 */
const SATURATED = 0.9;
const SAMPLE_MS = 100;
const SATURATED_MS = 1000;

/** Returns whether the event loop has lately been busy nearly all of the time. */
function createSaturationGauge(): () => boolean {
  let sampled = performance.now();
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  let saturatedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - sampled >= SAMPLE_MS) {
      const current = performance.eventLoopUtilization();
      if (performance.eventLoopUtilization(current, before).utilization > SATURATED) saturatedAt = now;
      before = current;
      sampled = now;
    }
    return now - saturatedAt < SATURATED_MS;
  };
}

/** Calls `then` once all of a request has arrived. A slow upload must not count: it takes no processor time. */
function whenReceived(request: IncomingMessage, then: () => void): void {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (hasBody) request.once('end', then);
  else then();
}

interface Waiting {
  /** Takes it out of the queue. */
  leave: () => void;
  start: () => void;
}

/**
 * Creates what decides which requests a process takes on. It works on {@link CONCURRENCY} at once, lets others wait for a
 * moment, and refuses the rest right away, so that what it accepts stays fast.
 * @returns a function that calls `start`, now or in its turn, or `refuse`, or neither if the client leaves first
 */
export function createLoadShedder() {
  const isSaturated = createSaturationGauge();
  const hasCapacity = () => running < (isSaturated() ? CONCURRENCY.saturated : CONCURRENCY.idle);
  const queue = new Set<Waiting>();
  let running = 0;
  let lastEmpty = performance.now();

  const run = (request: IncomingMessage, response: ServerResponse, start: () => void) => {
    let counts = false;
    whenReceived(request, () => {
      if (response.closed) return;
      counts = true;
      running += 1;
    });
    response.once('close', () => {
      if (counts) running -= 1;
      for (const { leave, start: startNext } of queue) {
        if (!hasCapacity()) return;
        leave();
        startNext();
      }
    });
    start();
  };
  const enqueue = (response: ServerResponse, start: () => void, refuse: () => void) => {
    const isStanding = performance.now() - lastEmpty > STANDING_MS;
    const expire = () => {
      leave();
      refuse();
    };
    const timer = setTimeout(expire, isStanding ? STANDING_WAIT_MS : BURST_WAIT_MS);
    const leave = () => {
      clearTimeout(timer);
      response.off('close', leave);
      queue.delete(waiting);
      if (queue.size === 0) lastEmpty = performance.now();
    };
    // The end of another request starts it, whose context it must not get.
    const waiting = { leave, start: AsyncResource.bind(start) };
    queue.add(waiting);
    response.once('close', leave);
  };

  return (
    request: IncomingMessage,
    response: ServerResponse,
    start: () => void,
    refuse: () => void,
  ): void => {
    if (queue.size === 0) lastEmpty = performance.now();
    const begin = () => run(request, response, start);
    if (queue.size === 0 && hasCapacity()) begin();
    else if (queue.size < QUEUE_LENGTH) enqueue(response, begin, refuse);
    else refuse();
  };
}
