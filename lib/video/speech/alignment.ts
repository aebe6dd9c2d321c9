import createModule, { type Decoder } from 'soundswallower';
import { guessPhones } from './phones';
import { spokenForm } from './spoken-form';
import { type ReadSpeechFile, SAMPLE_RATE, type Span, type SpeechFile } from './types';

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
  const silent = () => undefined;
  const module = await createModule({
    wasmBinary: await read('soundswallower.wasm'),
    // Otherwise it looks for its WebAssembly beside its script, where a bundler may not have put it.
    locateFile: (name: string) => name,
    defaultModel: null,
    print: silent,
    printErr: silent,
  } as unknown as Parameters<typeof createModule>[0]);
  const native = module as unknown as Native;
  const decoder = new module.Decoder({ ...SETTINGS }) as Decoder & { cdecoder: number };
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

/**
 * Finds when each of these words was said, in order. Words that nobody can say, such as a lone dash, and all of them if
 * the aligner doesn't hear these words in the samples, share the time between their neighbors evenly.
 */
export function alignWords(aligner: Decoder, samples: Float32Array, words: readonly string[]): Span[] {
  const spoken = words.map((word) => spokenForm(word).flatMap((part) => entriesOf(aligner, part)));
  const heard = align(aligner, samples, spoken.flat());
  const times: (Span | null)[] = [];
  let next = 0;
  for (const { length } of spoken) {
    const [first, last] = [heard?.[next], heard?.[next + length - 1]];
    times.push(length > 0 && first && last ? { start: first.start, end: last.end } : null);
    next += length;
  }
  return fillGaps(times, samples.length / SAMPLE_RATE);
}

/** Returns the dictionary's entries for a spoken word, after adding one if it isn't known. */
function entriesOf(aligner: Decoder, spoken: string): string[] {
  if (aligner.lookup_word(spoken) !== null) return [spoken];
  const phones = guessPhones(spoken);
  if (phones === null) return Array.from(spoken.replace(/[^a-z]/g, ''));
  try {
    aligner.add_words([spoken, phones]);
  } catch {
    // Its own message has the word in it, and errors carry no text of the journal.
    throw new Error('SoundSwallower refused a pronunciation');
  }
  return [spoken];
}

/** Returns the times of these entries of the dictionary, or null if they weren't all heard. */
function align(aligner: Decoder, samples: Float32Array, entries: readonly string[]): Span[] | null {
  if (entries.length === 0) return null;
  aligner.set_align_text(entries.join(' '));
  aligner.start();
  aligner.process_audio(samples, false, true);
  aligner.stop();
  // Pauses and noises have names in brackets.
  const heard = (aligner.get_alignment().w ?? []).filter(({ t }) => /^[a-z']/.test(t));
  return heard.length === entries.length ? heard.map(({ b, d }) => ({ start: b, end: b + d })) : null;
}

/** Divides the time between two words evenly among those without any. */
function fillGaps(times: readonly (Span | null)[], duration: number): Span[] {
  return times.map((known, index) => {
    if (known) return known;
    const before = times.findLastIndex((time, other) => other < index && time !== null);
    const found = times.findIndex((time, other) => other > index && time !== null);
    const after = found < 0 ? times.length : found;
    const start = times[before]?.end ?? 0;
    const share = Math.max(0, (times[after]?.start ?? duration) - start) / (after - before - 1);
    const place = index - before - 1;
    return { start: start + place * share, end: start + (place + 1) * share };
  });
}
