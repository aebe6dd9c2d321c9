import { createCounter } from '@/lib/foundation/counter';
import { createRoundRobin } from './round-robin';

/** A client's reserved place in a queue. Release it once the work is done, whatever its outcome. */
export interface Slot {
  /** Waits for its turn, does the work and returns its result. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Frees the slot; later calls do nothing. */
  release(): void;
}

interface Bounds {
  /** How much work runs at the same time. */
  concurrency: number;
  /** How many slots one client may hold. */
  perClient: number;
  /** How many slots there are. */
  total: number;
}

/**
 * Creates a bounded queue that serves its clients in turn (round robin), so that one client's burst delays nobody
 * else by more than one piece of its work. Besides the fixed bound, a client may hold at most a quarter as many slots
 * as are free: the fuller the queue, the less each client gets, and newcomers still find a slot while several clients
 * flood it (dynamic thresholds; Choudhury and Hahne, 1998).
 */
export function createFairQueue({ concurrency, perClient, total }: Bounds) {
  const waiting = createRoundRobin<() => void>();
  const heldByClient = createCounter();
  const heldByNetwork = createCounter();
  let held = 0;
  let running = 0;

  function startNext(): void {
    while (running < concurrency) {
      const start = waiting.take();
      if (!start) return;
      running += 1;
      start();
    }
  }

  async function run<T>(client: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      waiting.add(client, start);
      startNext();
    });
    try {
      return await work();
    } finally {
      running -= 1;
      startNext();
    }
  }

  return {
    /**
     * Reserves a slot without waiting.
     * @param network the larger network that the client is part of, if it has one: it never gets more than half of
     * the slots, so that whoever owns one can't fill the queue with its many clients
     * @returns undefined when the client, its network or everyone together holds as many as allowed
     */
    reserve(client: string, network?: string): Slot | undefined {
      const free = total - held;
      if (free < 1 || heldByClient.of(client) >= Math.min(perClient, free / 4)) return undefined;
      if (network !== undefined && heldByNetwork.of(network) >= free) return undefined;
      const add = (change: 1 | -1) => {
        held += change;
        heldByClient.add(client, change);
        if (network !== undefined) heldByNetwork.add(network, change);
      };
      add(1);
      let released = false;
      return {
        run: (work) => run(client, work),
        release: () => {
          if (!released) add(-1);
          released = true;
        },
      };
    },
  };
}
