/**
 * Recognizes speech in a thread of its own, one request after another. `scripts/build-speech.ts` bundles it for
 * worker-pool.ts. If the models can't be loaded, the thread ends with that error.
 */
import { parentPort } from 'node:worker_threads';
import { loadEngine } from './engine';
import { readSpeechFile } from './read-file';
import type { WorkerAnswer, WorkerRequest } from './worker-messages';

const engine = await loadEngine(readSpeechFile);
let last = Promise.resolve();

parentPort?.on('message', (request: WorkerRequest) => {
  last = last.then(async () => parentPort?.postMessage(await answer(request)));
});

async function answer({ samples, passage, vocabulary }: WorkerRequest): Promise<WorkerAnswer> {
  try {
    if (!passage) return { passages: await engine.findPassages(samples) };
    return { heard: await engine.hear(samples, passage, { ...(vocabulary && { vocabulary }) }) };
  } catch (error) {
    return { error: String(error) };
  }
}
