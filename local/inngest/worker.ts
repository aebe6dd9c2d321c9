import { type Answer, type App, AppInterrupted } from './app';
import { routeNextEvent } from './events';
import { applyAnswer, type Outcome } from './outcome';
import type { ExecutionRequest } from './protocol';
import { claim, freeStrays, giveBack, type Item, type RunState, readRunState } from './queue';
import type { FunctionDefinition } from './registry';
import type { Sql } from './store';
import { endOverdueRuns, endSleeps, forget, startCrons } from './timers';

/** How many requests to the app may be under way at once. */
const REQUESTS_AT_ONCE = 100;
/** How often the queue is looked at when nothing calls for it, in milliseconds. */
const LOOK_EVERY_MS = 500;
const FORGET_EVERY_MS = 3_600_000;
/** How long a request waits that the app could not take, in milliseconds. */
const AWAY_MS = 2000;
/**
 * How often one request may be cut off in the middle before that counts as a failed attempt. An app that is
 * restarted often must lose nothing; a step that kills the app each time must end some day.
 */
const INTERRUPTIONS_ALLOWED = 25;

export type Worker = {
  /** Says that there may be something to do. */
  poke(): void;
  close(graceMs: number): Promise<void>;
};

export type WorkerOptions = {
  sql: Sql;
  app: App;
  now: () => number;
  log: (line: Record<string, unknown>) => void;
  /** The generation to work for, or undefined while another runner leads. */
  generation: () => number | undefined;
  /** The registered functions, or undefined while the app is away or cannot be served. */
  functions: () => FunctionDefinition[] | undefined;
  /** Called when the app did not answer as it should. */
  onAppAway: (error: unknown) => void;
};

function isUnknownFunction(answer: Answer): boolean {
  const { type, message } = (answer.body ?? {}) as Record<string, unknown>;
  return answer.status === 500 && type === 'internal' && /was not found in this app/.test(String(message));
}

/** Takes work from the queue as long as this runner leads and the app is there. */
export function startWorker(options: WorkerOptions): Worker {
  const { sql, app, now, log } = options;
  const underWay = new Map<string, { item: Item; done: Promise<void> }>();
  let closing = false;
  let awaken: () => void = () => {};
  let poked = false;
  let forgottenAt = 0;
  let mayHaveStrays = false;

  const poke = () => {
    poked = true;
    awaken();
  };

  /** Repeats something until the database takes it; the lease, not the time, decides whether it still counts. */
  async function persist<T>(act: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      try {
        return await act();
      } catch (error) {
        log({ level: 'error', message: 'The database does not answer', error: String(error) });
        if (closing) return undefined;
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    }
  }

  async function ask(item: Item, state: RunState, definition: FunctionDefinition): Promise<Answer> {
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

  async function perform(item: Item, definition: FunctionDefinition): Promise<void> {
    const state = await persist(() => readRunState(sql, item));
    if (!state) return;
    let answer: Answer;
    let interruptions = item.interruptions;
    try {
      answer = await ask(item, state, definition);
      if (isUnknownFunction(answer)) throw new Error('The app does not have this function now.');
    } catch (error) {
      if (error instanceof AppInterrupted && !closing) interruptions += 1;
      if (interruptions <= INTERRUPTIONS_ALLOWED) {
        options.onAppAway(error);
        await persist(() => giveBack(sql, item, { at: now() + (closing ? 0 : AWAY_MS), interruptions }));
        return;
      }
      const message = `The app broke the connection ${interruptions} times while this ran.`;
      answer = { status: 500, headers: {}, body: { name: 'Error', message } };
    }
    const received = answer;
    const outcome = await persist<Outcome>(() =>
      applyAnswer(sql, item, received, {
        definition,
        find: (id) => options.functions()?.find((one) => one.id === id),
        now: now(),
      }),
    );
    if (outcome && outcome !== 'continued') {
      log({ message: `Run ${outcome}`, function: item.fn_id, run: item.run_id, attempt: item.attempt });
    }
  }

  async function work(generation: number, functions: FunctionDefinition[]): Promise<void> {
    if (mayHaveStrays) {
      await freeStrays(sql, generation, [...underWay.keys()]);
      mayHaveStrays = false;
    }
    while (await routeNextEvent(sql, functions, now())) if (closing) return;
    await startCrons(sql, functions, now());
    await endSleeps(sql, now());
    await endOverdueRuns(sql, functions, now());
    if (Math.abs(now() - forgottenAt) > FORGET_EVERY_MS) {
      await forget(sql, now());
      forgottenAt = now();
    }
    const room = REQUESTS_AT_ONCE - underWay.size;
    if (room <= 0 || closing) return;
    const items = await claim(sql, {
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
        const timer = setTimeout(resolve, LOOK_EVERY_MS);
        awaken = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
  const looping = loop();

  return {
    poke,
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
