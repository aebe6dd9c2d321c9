/**
 * Recognizes speech in a thread of its own, one request after another. `scripts/build-speech.ts` bundles it for
 * worker-pool.ts. If the models can't be loaded, the thread ends with that error.
 */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { loadEngine } from './engine';
import { readSpeechFile } from './files';
import type { WorkerAnswer, WorkerRequest } from './worker-pool';

lowerPriority();
const engine = await loadEngine(readSpeechFile);
let last = Promise.resolve();

parentPort?.on('message', (request: WorkerRequest) => {
  last = last.then(async () => parentPort?.postMessage(await answer(request)));
});

async function answer({ samples, passage, vocabulary }: WorkerRequest): Promise<WorkerAnswer> {
  try {
    if (!passage) return { passages: await engine.findPassages(samples) };
    return { heard: await engine.recognize(samples, passage, { vocabulary }) };
  } catch (error) {
    return { error: String(error) };
  }
}

/** Lets requests go first. Only Linux has priorities for single threads. */
function lowerPriority(): void {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Another system. Words are as right, and requests a little slower meanwhile.
  }
}
