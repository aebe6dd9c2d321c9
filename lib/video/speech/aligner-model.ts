import createModule, { type Decoder } from 'soundswallower';
import { type ReadSpeechFile, SAMPLE_RATE, type SpeechFile } from './types';

/**
 * The part of SoundSwallower's C interface that loads a model. Its own loader fetches paths, which a page's
 * Content-Security-Policy would have to allow, and differs between Node and browsers. Addresses are numbers.
 */
interface Native {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _s3file_init(address: number, bytes: number): number;
  _s3file_free(file: number): void;
  _decoder_logmath(decoder: number): number;
  _decoder_init_cleanup(decoder: number): number;
  _decoder_init_fe(decoder: number): number;
  _decoder_init_feat_s3file(decoder: number, transform: number): number;
  _decoder_init_acmod_pre(decoder: number): number;
  _bin_mdef_read_s3file(file: number, contextIndependentOnly: number): number;
  _set_mdef(decoder: number, definition: number): void;
  _tmat_init_s3file(file: number, logmath: number, floor: number): number;
  _set_tmat(decoder: number, matrices: number): void;
  _load_gmm(decoder: number, means: number, variances: number, weights: number, sendump: number): number;
  _decoder_init_acmod_post(decoder: number): number;
  _decoder_init_dict_s3file(decoder: number, words: number, noises: number): number;
}

const SETTINGS = {
  // Its default is 44,100 Hz, with which it aligns nonsense without an error.
  samprate: SAMPLE_RATE,
  loglevel: 'FATAL',
  // With its narrower beams, one wrong word makes it give up on the passage. These take no longer.
  beam: 1e-100,
  pbeam: 1e-100,
  wbeam: 1e-80,
};

type ModelFile = SpeechFile extends infer File ? (File extends `en-us/${infer Name}` ? Name : never) : never;

/** Loads SoundSwallower with its American English model. @throws if a file can't be read or doesn't fit */
export async function loadAlignerModel(read: ReadSpeechFile): Promise<Decoder> {
  const { Decoder, native } = await loadModule(await read('soundswallower.wasm'));
  const decoder = new Decoder({ ...SETTINGS }) as Decoder & { cdecoder: number };
  const { cdecoder } = decoder;
  const load = async (name: ModelFile) => toNativeFile(native, await read(`en-us/${name}`));

  const features: Record<string, string | number> = JSON.parse(
    new TextDecoder().decode(await read('en-us/feat_params.json')),
  );
  for (const [name, value] of Object.entries(features)) {
    if (decoder.has_config(name)) decoder.set_config(name, value);
  }
  check(native._decoder_init_cleanup(cdecoder) >= 0);
  check(native._decoder_init_fe(cdecoder));
  check(native._decoder_init_feat_s3file(cdecoder, 0));
  check(native._decoder_init_acmod_pre(cdecoder));

  const mdef = await load('mdef');
  native._set_mdef(cdecoder, check(native._bin_mdef_read_s3file(mdef, 0)));
  native._s3file_free(mdef);
  const matrices = await load('transition_matrices');
  const floor = Number(decoder.get_config('tmatfloor'));
  const logmath = native._decoder_logmath(cdecoder);
  native._set_tmat(cdecoder, check(native._tmat_init_s3file(matrices, logmath, floor)));
  native._s3file_free(matrices);
  const [means, variances, sendump] = [await load('means'), await load('variances'), await load('sendump')];
  check(native._load_gmm(cdecoder, means, variances, 0, sendump) >= 0);
  check(native._decoder_init_acmod_post(cdecoder) >= 0);
  check(native._decoder_init_dict_s3file(cdecoder, await load('dict.txt'), await load('noisedict.txt')));
  decoder.initialized = true;
  return decoder;
}

async function loadModule(wasmBinary: Uint8Array) {
  const silent = () => undefined;
  const options = {
    wasmBinary,
    // Otherwise it looks for its WebAssembly beside its script, where a bundler may not have put it.
    locateFile: (name: string) => name,
    defaultModel: null,
    print: silent,
    printErr: silent,
  };
  const module = await createModule(options as unknown as Parameters<typeof createModule>[0]);
  return { Decoder: module.Decoder, native: module as unknown as Native };
}

/** Copies a file into the module's memory, with a zero after it, since text files are read as C strings. */
function toNativeFile(native: Native, bytes: Uint8Array): number {
  const address = check(native._malloc(bytes.length + 1));
  native.HEAPU8.set(bytes, address);
  native.HEAPU8[address + bytes.length] = 0;
  return native._s3file_init(address, bytes.length);
}

function check<T extends number | boolean>(result: T): T {
  if (!result) throw new Error('SoundSwallower could not load its model');
  return result;
}
