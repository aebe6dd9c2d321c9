import type { AppClient, AppResponse } from './app';
import { cancelMarkedRuns, routeNextEvent } from './events';
import type { Limits } from './limits';
import { applyAnswer, type RequestOutcome } from './outcome';
import type { ExecutionRequest } from './protocol';
import {
  leaseItems,
  type QueueItem,
  type RunState,
  readRunState,
  releaseLease,
  releaseOrphanedLeases,
} from './queue';
import type { FunctionDefinition } from './registry';
import type { Sql } from './store';
import { completeSleeps, purgeOldRuns, startDueCrons } from './timers';

/** How many requests to the app may be in progress. */
const MAX_CONCURRENT_REQUESTS = 100;
/** How often the queue is polled, in milliseconds. */
const POLL_INTERVAL_MS = 500;
const PURGE_INTERVAL_MS = 3_600_000;

export type Worker = {
  /** Tells the worker that there may be work. */
  wake(): void;
  close(graceMs: number): Promise<void>;
};

export type WorkerOptions = {
  sql: Sql;
  app: AppClient;
  now: () => number;
  /** Multiplies the delays of retries and cancellations. */
  timeScale: number;
  limits: Limits;
  log: (line: Record<string, unknown>) => void;
  /** Returns the current generation, or undefined while another runner leads. */
  generation: () => number | undefined;
  /** Returns the registered functions, or undefined until the app has registered. */
  functions: () => FunctionDefinition[] | undefined;
  /** Called when the app didn't respond correctly. */
  onAppUnavailable: (error: unknown) => void;
};

/** Processes the queue while this runner leads. */
export function startWorker(options: WorkerOptions): Worker {
  const { sql, app, now, log, timeScale, limits } = options;
  const underWay = new Map<string, { item: QueueItem; done: Promise<void> }>();
  let closing = false;
  let awaken: () => void = () => {};
  let poked = false;
  let forgottenAt = 0;
  let mayHaveStrays = false;

  const poke = () => {
    poked = true;
    awaken();
  };

  /** Retries a write until the database accepts it. Its lease decides whether it still counts. */
  async function persist<T>(act: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      try {
        return await act();
      } catch (error) {
        log({ level: 'error', message: 'The database does not answer', error: String(error) });
        if (closing) return undefined;
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      }
    }
  }

  async function ask(item: QueueItem, state: RunState, definition: FunctionDefinition): Promise<AppResponse> {
    const body: ExecutionRequest = {
      version: 2,
      event: state.event,
      events: [state.event],
      steps: state.steps,
      ctx: {
        run_id: item.run_id,
        attempt: item.attempt,
        max_attempts: definition.maxAttempts,
        disable_immediate_execution: state.hasOthers,
        use_api: false,
        stack: { stack: state.order, current: Math.max(state.order.length - 1, 0) },
      },
    };
    return app.execute(item.fn_id, item.step_id, item.id, body);
  }

  async function perform(item: QueueItem, definition: FunctionDefinition): Promise<void> {
    const state = await persist(() => readRunState(sql, item));
    if (!state) return;
    let answer: AppResponse;
    try {
      answer = await ask(item, state, definition);
    } catch (error) {
      if (closing) {
        await persist(() => releaseLease(sql, item, { at: now(), attempt: item.attempt }));
        return;
      }
      options.onAppUnavailable(error);
      const message = `Unable to reach SDK URL: ${error instanceof Error ? error.message : String(error)}`;
      answer = { status: 500, headers: {}, body: { name: 'Error', message } };
    }
    const received = answer;
    const outcome = await persist<RequestOutcome>(() =>
      applyAnswer(sql, item, received, { definition, now: now(), timeScale, limits }),
    );
    if (outcome && outcome !== 'continued') {
      log({ message: `Run ${outcome}`, function: item.fn_id, run: item.run_id, attempt: item.attempt });
    }
  }

  async function work(generation: number, functions: FunctionDefinition[]): Promise<void> {
    if (mayHaveStrays) {
      await releaseOrphanedLeases(sql, generation, [...underWay.keys()]);
      mayHaveStrays = false;
    }
    while (await routeNextEvent(sql, functions, now(), timeScale)) if (closing) return;
    await cancelMarkedRuns(sql, now());
    await startDueCrons(sql, functions, now());
    await completeSleeps(sql, now());
    if (Math.abs(now() - forgottenAt) > PURGE_INTERVAL_MS) {
      await purgeOldRuns(sql, now());
      forgottenAt = now();
    }
    const room = MAX_CONCURRENT_REQUESTS - underWay.size;
    if (room <= 0 || closing) return;
    const items = await leaseItems(sql, {
      generation,
      now: now(),
      room,
      underWay: [...underWay.values()].map(({ item }) => item),
      functions: functions.map(({ id }) => id),
    });
    for (const item of items) {
      const definition = functions.find(({ id }) => id === item.fn_id);
      if (!definition) continue;
      const done = perform(item, definition)
        .catch((error) => log({ level: 'error', message: 'A request failed', error: String(error) }))
        .finally(() => {
          underWay.delete(item.lease);
          poke();
        });
      underWay.set(item.lease, { item, done });
    }
  }

  async function loop(): Promise<void> {
    while (!closing) {
      poked = false;
      const generation = options.generation();
      const functions = options.functions();
      if (generation !== undefined && functions) {
        await work(generation, functions).catch((error) => {
          mayHaveStrays = true;
          log({ level: 'error', message: 'The queue could not be read', error: String(error) });
        });
      }
      if (poked) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_INTERVAL_MS);
        awaken = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
  const looping = loop();

  return {
    wake: poke,
    async close(graceMs) {
      closing = true;
      poke();
      await looping;
      const rest = Promise.allSettled([...underWay.values()].map(({ done }) => done));
      const timer = setTimeout(() => app.abort(), graceMs);
      await rest;
      clearTimeout(timer);
    },
  };
}
