import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { REQUEST_WAIT_MS, type Refusal } from '@/lib/foundation/admission';
import { createCounter } from '@/lib/foundation/counter';
import { createRoundRobin } from './round-robin';
import { trackWork } from './track-work';

/**
 * How many requests a process works on at once: few if it's saturated, just enough to fill the waits for the database, since
 * with more, each one takes longer and none is answered sooner. Otherwise they're waiting for something else, and a limit
 * only keeps a burst from becoming seconds of work.
 */
const CONCURRENCY = { saturated: 32, idle: 128 };

/** How many of these may be one account's. A page loads what belongs to it over six connections, or over one. */
export const ACCOUNT_CONCURRENCY = 8;

/**
 * How many may be those of all people without a session in one network while the process is saturated. Their pages need the
 * event loop and hardly ever anything else, so that more at once would only take more of the turns that others wait for.
 * What they send, such as passwords to be hashed, waits outside the event loop.
 */
const STRANGERS_CONCURRENCY = { pages: 2, changes: 8 };

/** While it's saturated and works for somebody with a session, too, a network's pages are taken on this far apart. */
const STRANGERS_PACE_MS = 100;

/** Which share of these may come from one network, whoever signs in there: an office is one, and so is an attacker. */
const NETWORK_SHARE = 0.75;

/** How many requests may wait for their turn, which only bounds their memory: a wait ends by time. */
const MAX_WAITING = 2048;

/**
 * One sender's requests may wait in this part of the places that are free. The fuller the queue, the less each gets, so
 * that newcomers find a place while several flood it (dynamic thresholds; Choudhury and Hahne, 1998).
 */
const SENDER_SHARE = 1 / 4;

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

/** Creates what remembers when owners last did something, for an interval in milliseconds. */
export function createPace(intervalMs: number) {
  /** By owner; the longest ago first. */
  const last = new Map<string, number>();
  const isOver = (at: number, now: number) => now - at >= intervalMs;
  return {
    /** Returns whether an owner's interval isn't over yet. */
    isTooSoon: (owner: string, now = performance.now()): boolean =>
      !isOver(last.get(owner) ?? Number.NEGATIVE_INFINITY, now),
    /** Begins an owner's interval. */
    begin(owner: string, now = performance.now()): void {
      for (const [one, at] of last) {
        if (!isOver(at, now)) break;
        last.delete(one);
      }
      last.delete(owner);
      last.set(owner, now);
    },
    /** Returns how many owners are remembered. */
    size: () => last.size,
  };
}

/** Who a request is from. Signed-in people have turns of their own; the others of a network share theirs. */
interface Sender {
  account?: string | undefined;
  /** An IPv4 address, or the /48 network of an IPv6 one. */
  network: string;
  /** Whether something is sent to be worked on, and not only asked for. */
  isChange: boolean;
}

const nameOf = ({ account, network, isChange }: Sender): string =>
  account ?? (isChange ? `changes from ${network}` : network);

interface Waiting {
  sender: Sender;
  start: () => void;
}

/** A request to take on. */
interface Arrival {
  request: IncomingMessage;
  response: ServerResponse;
  sender: Sender;
  start: () => void;
  /** Called instead of `start` if it isn't the request's turn in time. */
  refuse: (refusal: Refusal) => void;
  /** Called if it isn't the request's turn in time after its body has arrived, which `start` may be reading. */
  refuseBody: (refusal: Refusal) => void;
}

/**
 * Creates what decides which requests a process works on, and when. It works on {@link CONCURRENCY} at once, of which one
 * sender has only a part. The others wait for their turn, which goes round among the senders, and are refused after
 * {@link REQUEST_WAIT_MS}.
 * @returns a function that takes a request, and calls one of its functions, or none if the client leaves first
 */
export function createLoadShedder(): (arrival: Arrival) => void {
  const isSaturated = createSaturationGauge();
  const capacity = () => (isSaturated() ? CONCURRENCY.saturated : CONCURRENCY.idle);
  const runningBySender = createCounter();
  const runningByNetwork = createCounter();
  const queue = createRoundRobin<Waiting>();
  const strangersPace = createPace(STRANGERS_PACE_MS);
  let running = 0;
  let runningForAccounts = 0;
  let willStartNext = false;

  /** Returns how many of a sender's requests are worked on at once, if it's `limit` of everybody's. */
  const senderLimit = ({ account, isChange }: Sender, limit: number): number => {
    if (account !== undefined) return ACCOUNT_CONCURRENCY;
    if (limit === CONCURRENCY.idle) return limit;
    return isChange ? STRANGERS_CONCURRENCY.changes : STRANGERS_CONCURRENCY.pages;
  };
  /** Returns whether a stranger has to make way for people with a session. */
  const makesWay = ({ account, network, isChange }: Sender, limit: number): boolean =>
    account === undefined &&
    !isChange &&
    limit === CONCURRENCY.saturated &&
    runningForAccounts > 0 &&
    strangersPace.isTooSoon(network);
  /** Returns what a request has to wait for, if anything: others of its own sender, or of everybody. */
  const obstacle = (sender: Sender, limit: number): Refusal | undefined => {
    if (runningBySender.of(nameOf(sender)) >= senderLimit(sender, limit)) return 'rate_limited';
    if (makesWay(sender, limit)) return 'rate_limited';
    if (runningByNetwork.of(sender.network) >= limit * NETWORK_SHARE) return 'rate_limited';
    return running >= limit ? 'unavailable' : undefined;
  };
  const startNext = () => {
    willStartNext = false;
    const limit = capacity();
    while (running < limit) {
      const next = queue.take(({ sender }) => obstacle(sender, limit) === undefined);
      if (!next) return;
      next.start();
    }
  };
  const count = (sender: Sender, change: 1 | -1) => {
    running += change;
    if (sender.account !== undefined) runningForAccounts += change;
    else if (change === 1 && !sender.isChange) strangersPace.begin(sender.network);
    runningBySender.add(nameOf(sender), change);
    runningByNetwork.add(sender.network, change);
    if (change === 1 || willStartNext || queue.size() === 0) return;
    willStartNext = true;
    // Not within the answer of the request that has ended.
    process.nextTick(startNext);
  };

  /** Calls `start`, now or in the sender's turn, or `refuse`. */
  const wait = (response: ServerResponse, sender: Sender, start: () => void, refuse: Arrival['refuse']) => {
    const name = nameOf(sender);
    const limit = capacity();
    if (queue.size() === 0 && !obstacle(sender, limit)) return start();
    if (queue.size() >= MAX_WAITING) return refuse('unavailable');
    if (queue.sizeOf(name) >= (MAX_WAITING - queue.size()) * SENDER_SHARE) return refuse('rate_limited');
    const leave = () => {
      clearTimeout(timer);
      response.off('close', leave);
      remove();
    };
    const begin = () => {
      leave();
      start();
    };
    const expire = () => {
      const refusal = obstacle(sender, capacity());
      // The process may have become idle while nothing ended.
      if (!refusal) return begin();
      leave();
      refuse(refusal);
    };
    const timer = setTimeout(expire, REQUEST_WAIT_MS);
    // The end of another request starts it, whose context it must not get.
    const remove = queue.add(name, { sender, start: AsyncResource.bind(begin) });
    response.once('close', leave);
    startNext();
  };

  return ({ request, response, sender, start, refuse, refuseBody }) => {
    if (response.closed) return;
    const begin = () => {
      trackWork(request, response, {
        count: (change) => count(sender, change),
        waitForTurn: (work) =>
          wait(response, sender, work, (refusal) => {
            refuseBody(refusal);
            work();
          }),
      });
      start();
    };
    wait(response, sender, begin, refuse);
  };
}
