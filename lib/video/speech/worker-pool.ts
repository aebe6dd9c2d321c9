import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Passage, RecognizedPassage, RecognizeOptions } from './types';

/** Asks for the passages in these samples or, with `passage`, for the words in one. */
export interface WorkerRequest {
  /** In memory that both threads share. */
  samples: Float32Array;
  passage?: Passage;
  vocabulary?: readonly string[];
}

export type WorkerAnswer = { passages: Passage[] } | { heard: RecognizedPassage } | { error: string };

interface Task {
  request: WorkerRequest;
  resolve(answer: WorkerAnswer): void;
  reject(error: unknown): void;
}

interface Slot {
  worker: Worker;
  task: Task | null;
  idle: NodeJS.Timeout | null;
}

interface Pool {
  /** How many workers it has at most. */
  size: number;
  slots: Slot[];
  queue: Task[];
}

export interface HearPassagesOptions extends RecognizeOptions {
  /** Tells whether a passage is known already. */
  skip?: (passage: Passage) => boolean;
  /** Takes a passage's words. With several workers, not always in order, and as many at a time. */
  onRecognized: (passage: RecognizedPassage) => Promise<void>;
}

type HearPassages = (samples: Float32Array, options: HearPassagesOptions) => Promise<void>;

/** A worker takes 350 to 500 MB, and one keeps up with 6 recordings at once. */
const WORKERS = availableParallelism() > 2 && memoryBytes() >= 4 * 1024 ** 3 ? 2 : 1;
/** After that time without work, a worker gives its memory back. Starting one takes 3 to 4 seconds. */
const IDLE_MS = 3 * 60_000;
/** A passage takes seconds, so that a worker that's busy for longer than this after an abort hangs, and is replaced. */
const OVERDUE_MS = 2 * 60_000;

/**
 * Recognizes the speech in 16 kHz mono samples, passage by passage, in worker threads that stay warm between calls.
 * Passages of several calls take turns. After an error, no more passages of this call are recognized, and nothing is
 * being saved once it's thrown.
 * @throws the signal's reason, within the passages that are being recognized
 * @throws whatever `onRecognized` throws, and an error if a worker can't start or ends
 */
export const recognizePassages = createPool(WORKERS);

/** Returns a `recognizePassages` with up to `size` workers of its own. They start when there's work. */
export function createPool(size: number): HearPassages {
  const pool: Pool = { size, slots: [], queue: [] };
  return async (samples, { vocabulary, skip, onRecognized, ...options }) => {
    const failed = new AbortController();
    const signal = AbortSignal.any([failed.signal, ...(options.signal ? [options.signal] : [])]);
    const shared = new Float32Array(new SharedArrayBuffer(samples.byteLength));
    shared.set(samples);
    const found = await ask(pool, { samples: shared }, signal);
    const passages = 'passages' in found ? found.passages.values() : [].values();
    const hearNext = async () => {
      for (const passage of passages) {
        if (skip?.(passage)) continue;
        const answer = await ask(pool, { samples: shared, passage, vocabulary }, signal);
        if ('heard' in answer) await onRecognized(answer.heard);
      }
    };
    await Promise.all(Array.from({ length: size }, () => hearNext().catch((error) => failed.abort(error))));
    failed.signal.throwIfAborted();
  };
}

/** Queues a request, and resolves when a worker has answered it. An abort doesn't wait for the worker. */
async function ask(pool: Pool, request: WorkerRequest, signal: AbortSignal): Promise<WorkerAnswer> {
  const { queue, slots } = pool;
  signal.throwIfAborted();
  let onAbort = () => {};
  const answered = new Promise<WorkerAnswer>((resolve, reject) => {
    const task: Task = { request, resolve, reject };
    onAbort = () => {
      if (queue.includes(task)) queue.splice(queue.indexOf(task), 1);
      const slot = slots.find((one) => one.task === task);
      if (slot) setTimeout(() => slot.task === task && void slot.worker.terminate(), OVERDUE_MS).unref();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    queue.push(task);
    assignTasks(pool);
  });
  const answer = await answered.finally(() => signal.removeEventListener('abort', onAbort));
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}

function assignTasks(pool: Pool): void {
  const { size, slots, queue } = pool;
  while (queue.length > 0) {
    const free = slots.find(({ task }) => task === null) ?? (slots.length < size ? startWorker(pool) : null);
    const task = free && queue.shift();
    if (!task) return;
    free.task = task;
    if (free.idle) clearTimeout(free.idle);
    free.worker.ref();
    free.worker.postMessage(task.request);
  }
}

function startWorker(pool: Pool): Slot {
  const { slots } = pool;
  // It needs neither this process's settings, which hold secrets, nor its flags.
  const worker = new Worker(workerPath(), { name: 'speech', env: {}, execArgv: [] });
  const slot: Slot = { worker, task: null, idle: null };
  slots.push(slot);
  const retire = () => {
    if (slots.includes(slot)) slots.splice(slots.indexOf(slot), 1);
  };
  const end = (error: unknown) => {
    retire();
    slot.task?.reject(error);
    slot.task = null;
    assignTasks(pool);
  };
  worker.once('error', end);
  worker.once('exit', () => end(new Error('The speech worker stopped')));
  worker.on('message', (answer: WorkerAnswer) => {
    slot.task?.resolve(answer);
    slot.task = null;
    // An idle worker doesn't keep a program from ending.
    worker.unref();
    slot.idle = setTimeout(() => {
      // At once, so that it gets no task while it ends.
      retire();
      void worker.terminate();
    }, IDLE_MS).unref();
    assignTasks(pool);
  });
  return slot;
}

/** Read from the project, because a bundler wouldn't keep it in one piece. */
function workerPath(): string {
  return join(/*turbopackIgnore: true*/ process.cwd(), 'build/speech/worker.mjs');
}

function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
