/**
 * The audio worklet that passes a microphone's samples on, mixed to mono, while it's told to. Ends each stretch with
 * null. `scripts/build-speech.ts` bundles it.
 */

/** What a worklet's global scope has; TypeScript's libraries don't know it. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** Samples in a message: about 43 ms at 48 kHz. */
const CHUNK = 2048;

class AudioTap extends AudioWorkletProcessor {
  #passesOn = false;
  #chunk = new Float32Array(CHUNK);
  #filled = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data: passesOn }: MessageEvent<boolean>) => {
      if (this.#passesOn && !passesOn) {
        this.#flush();
        this.port.postMessage(null);
      }
      this.#passesOn = passesOn;
    };
  }

  #flush(): void {
    const samples = this.#chunk.slice(0, this.#filled);
    this.#filled = 0;
    this.port.postMessage(samples, [samples.buffer]);
  }

  process([channels = []]: Float32Array[][]): boolean {
    const length = this.#passesOn ? (channels[0]?.length ?? 0) : 0;
    for (let index = 0; index < length; index += 1) {
      let sum = 0;
      for (const channel of channels) sum += channel[index] ?? 0;
      this.#chunk[this.#filled] = sum / channels.length;
      this.#filled += 1;
      if (this.#filled === CHUNK) this.#flush();
    }
    return true;
  }
}

registerProcessor('audio-tap', AudioTap);
