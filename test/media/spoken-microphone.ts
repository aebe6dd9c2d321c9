import { cached, encode } from './encode';
import { spokenClip } from './speech';

/** Seconds before the first word, for opening the camera and starting to record. */
const LEAD_SECONDS = 6;
/** Seconds before it's said again, in which a slow machine catches up. */
const REST_SECONDS = 30;

/**
 * Returns the arguments that give Chromium a microphone in which `spokenClip` is said from when it's opened, once or again
 * and again. Once is for tests that compare what was said. Those that take their time before they record would miss it.
 */
export async function spokenMicrophone({ repeats = false } = {}): Promise<string[]> {
  const { path } = await spokenClip();
  const rest = repeats ? `,apad=pad_dur=${REST_SECONDS}` : '';
  const filter = `adelay=${LEAD_SECONDS * 1000}:all=1${rest}`;
  const file = await cached(`spoken-microphone-${repeats ? 'again' : 'once'}.wav`, (output) =>
    encode(['-i', path, '-vn', '-af', filter, '-ar', '48000', '-ac', '2'], output),
  );
  return [`--use-file-for-fake-audio-capture=${file}${repeats ? '' : '%noloop'}`];
}
