import { SAMPLE_RATE } from './types';

/** Zero crossings of the filter on each side. More are sharper and slower. */
const CROSSINGS = 16;
/** Where the filter begins to cut off, as a share of the lower rate's highest frequency. */
const ROLL_OFF = 0.92;

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/**
 * Returns the filter's weights for each of the `phases` positions between two input samples that an output sample can
 * have: a sinc in a Hann window, each phase scaled to keep the level.
 */
function filterTable(phases: number, reach: number, cutoff: number): Float32Array[] {
  return Array.from({ length: phases }, (_, phase) => {
    const taps = Float32Array.from({ length: 2 * reach + 1 }, (__, tap) => {
      const distance = tap - reach - phase / phases;
      if (Math.abs(distance) > reach) return 0;
      return sinc(distance * cutoff) * (0.5 + 0.5 * Math.cos((Math.PI * distance) / reach));
    });
    const sum = taps.reduce((total, weight) => total + weight, 0);
    return taps.map((weight) => weight / sum);
  });
}

/**
 * Creates a converter to 16 kHz, which takes a stream chunk by chunk. The output is as long as the input and isn't
 * delayed, except that its last milliseconds come with the next chunk.
 * @param rate samples a second of the input, a whole number
 */
export function createResampler(rate: number): (chunk: Float32Array) => Float32Array {
  const common = gcd(rate, SAMPLE_RATE);
  const [phases, step] = [SAMPLE_RATE / common, rate / common];
  const cutoff = Math.min(1, SAMPLE_RATE / rate) * ROLL_OFF;
  const reach = Math.ceil(CROSSINGS / cutoff);
  const table = filterTable(phases, reach, cutoff);
  /** Input that's still needed, with silence before the first sample. */
  let rest: Float32Array = new Float32Array(reach);
  /** The next output sample's place in `rest`, in input samples times `phases`. */
  let next = reach * phases;

  return (chunk) => {
    const input = new Float32Array(rest.length + chunk.length);
    input.set(rest);
    input.set(chunk, rest.length);
    const last = (input.length - reach) * phases;
    const output = new Float32Array(Math.max(0, Math.ceil((last - next) / step)));
    for (let index = 0; index < output.length; index += 1) {
      const center = Math.floor(next / phases);
      const weights = table[next - center * phases] ?? new Float32Array();
      let sum = 0;
      for (let tap = 0; tap < weights.length; tap += 1)
        sum += (weights[tap] ?? 0) * (input[center - reach + tap] ?? 0);
      output[index] = sum;
      next += step;
    }
    const used = Math.min(Math.floor(next / phases) - reach, input.length);
    rest = input.slice(used);
    next -= used * phases;
    return output;
  };
}
