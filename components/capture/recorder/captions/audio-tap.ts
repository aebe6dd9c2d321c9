/** The microphone of a stream as samples. It only listens in, so nothing here can affect the recorder. */
export type AudioTap = ReturnType<typeof openAudioTap>;

interface AudioTapEvents {
  /** Called before the first samples of each stretch, and of what follows an interruption. */
  onStart(): void;
  onSamples(samples: Float32Array): void;
  /** Called after the last samples of each stretch. */
  onStop(): void;
  onError(error: unknown): void;
}

/**
 * Opens a tap on a stream's microphone.
 * @param script the address of the audio worklet
 * @throws DOMException if the browser has too many open
 */
export function openAudioTap(
  stream: MediaStream,
  script: string,
  { onStart, onSamples, onStop, onError }: AudioTapEvents,
) {
  const context = new AudioContext();
  let node: AudioWorkletNode | null = null;
  let passing = false;

  const apply = () => {
    if (!node) return;
    if (passing) onStart();
    node.port.postMessage(passing);
  };

  // A phone call or sleep interrupts the context. What's said meanwhile never comes.
  context.onstatechange = () => {
    if (context.state === 'running' && node && passing) onStart();
  };

  async function connect(): Promise<void> {
    const source = context.createMediaStreamSource(stream);
    await context.audioWorklet.addModule(script);
    if (context.state === 'closed') return;
    node = new AudioWorkletNode(context, 'audio-tap', { numberOfOutputs: 0 });
    node.port.onmessage = ({ data }: MessageEvent<Float32Array | null>) =>
      data === null ? onStop() : onSamples(data);
    node.onprocessorerror = onError;
    source.connect(node);
    await context.resume();
    if (passing) apply();
  }

  connect().catch((error: unknown) => context.state === 'closed' || onError(error));
  return {
    /** Samples a second. */
    rate: context.sampleRate,
    /** Starts or stops to pass samples on. Stopping calls `onStop`, even if it has stopped before. */
    pass(passes: boolean): void {
      if (passes && passing) return;
      const isPending = node !== null && passing;
      passing = passes;
      if (passes || isPending) apply();
      else onStop();
    },
    close: (): void => void context.close().catch(() => {}),
  };
}
