import { env, InferenceSession } from 'onnxruntime-web/wasm';
import type { Moonshine } from './moonshine';
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

/** Opens Moonshine's models. @throws as `openModel` does */
export async function openMoonshine(read: ReadSpeechFile): Promise<Moonshine> {
  return {
    encoder: await openModel(read, 'moonshine_encoder.onnx'),
    projection: await openModel(read, 'moonshine_projection.onnx'),
    decoder: await openModel(read, 'moonshine_decoder.onnx'),
  };
}
