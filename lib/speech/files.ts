import type { SpeechFile } from './types';

const MOONSHINE = '@moonshine-ai/moonshine-js/dist/model/tiny/quantized';

/** Where packages keep the engine's files, below node_modules. */
export const SPEECH_FILES: Record<SpeechFile, string> = {
  'onnxruntime.wasm': 'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
  'silero_vad.onnx': '@ricky0123/vad-web/dist/silero_vad_v5.onnx',
  'moonshine_encoder.onnx': `${MOONSHINE}/encoder_model.onnx`,
  'moonshine_decoder.onnx': `${MOONSHINE}/decoder_model_merged.onnx`,
  'soundswallower.wasm': 'soundswallower/soundswallower.web.wasm',
  'en-us/dict.txt': 'soundswallower/model/en-us/dict.txt',
  'en-us/feat_params.json': 'soundswallower/model/en-us/feat_params.json',
  'en-us/mdef': 'soundswallower/model/en-us/mdef',
  'en-us/means': 'soundswallower/model/en-us/means',
  'en-us/noisedict.txt': 'soundswallower/model/en-us/noisedict.txt',
  'en-us/sendump': 'soundswallower/model/en-us/sendump',
  'en-us/transition_matrices': 'soundswallower/model/en-us/transition_matrices',
  'en-us/variances': 'soundswallower/model/en-us/variances',
};
