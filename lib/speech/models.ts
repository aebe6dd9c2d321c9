import { env, InferenceSession } from 'onnxruntime-web/wasm';
import type { ReadSpeechFile, SpeechFile } from './types';

type Model = Extract<SpeechFile, `${string}.onnx`>;

/** Loads onnxruntime once for all models of this thread. Its WebAssembly is read only for the first. */
export function prepareOnnxruntime(wasm: Uint8Array): void {
  env.wasm.wasmBinary = wasm;
  // More threads need pages that are isolated from other origins, and a job has other jobs beside it.
  env.wasm.numThreads = 1;
  env.logLevel = 'error';
}

/** Opens a model. @throws if it can't be read or isn't one */
export async function openModel(read: ReadSpeechFile, model: Model): Promise<InferenceSession> {
  return InferenceSession.create(await read(model), { enableCpuMemArena: false });
}
