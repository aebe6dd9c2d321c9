import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { samplesOf } from '@/test/media/samples';
import { generateSamples } from './samples';
import { addNoise, amplify, asPhone, type Inserted, insertPauses, pauseAt } from './variants';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** A clip as `clips.json` has it. What's stored here is in `clips/`; `SPEECH_CLIPS` may name a folder with the rest. */
interface Clip {
  name: string;
  group: string;
  /** Never looked at while the engine was tuned. */
  heldOut?: boolean;
  text?: string;
  /** An ffmpeg source, instead of a file. */
  generate?: string;
  seconds: number;
  variants?: Variant[];
}

/** The same clip under other conditions. `noise` and `music` are dB between the voice and what's under it. */
interface Variant {
  group: string;
  pauses?: [at: number, seconds: number, filler?: 'um' | 'uh'][];
  phone?: boolean;
  noise?: number;
  music?: number;
  gain?: number;
}

/** Something to recognize. */
export interface Recording {
  name: string;
  group: string;
  heldOut: boolean;
  /** Empty if nobody speaks. */
  text: string;
  samples: Float32Array;
  /** The clip as it was recorded, and what was put into it since. */
  clip: { name: string; samples: Float32Array };
  inserted: Inserted[];
}

/** Reads the clips and makes their variants, one after another. Clips whose files aren't there are left out. */
export async function* readRecordings(extraFolder?: string): AsyncGenerator<Recording> {
  const clips: Clip[] = JSON.parse(await readFile(join(FOLDER, 'clips.json'), 'utf8'));
  const fileOf = (name: string) =>
    [join(FOLDER, 'clips'), ...(extraFolder ? [extraFolder] : [])]
      .map((folder) => join(folder, `${name}.ogg`))
      .find(existsSync);
  const read = async (name: string) => samplesOf(fileOf(name) ?? '');
  const [um, uh, noise, music] = await Promise.all(
    ['filler-um', 'filler-uh', 'doing-the-dishes', 'max-piano'].map(read),
  );
  if (!um || !uh || !noise || !music) throw new Error('lab/speech/clips is incomplete');

  for (const { name, group, heldOut = false, text = '', generate, seconds, variants = [] } of clips) {
    const file = fileOf(name);
    if (!file && !generate) continue;
    const samples = file ? await samplesOf(file) : await generateSamples(generate ?? '', seconds);
    const clip = { name, samples };
    const common = { heldOut, text, clip };
    yield { ...common, name, group, samples, inserted: [] };
    for (const variant of variants) {
      const pauses = (variant.pauses ?? []).map(([at, length, filler]) =>
        pauseAt(at, length, filler && { um, uh }[filler]),
      );
      let changed = insertPauses(samples, pauses);
      if (variant.noise !== undefined) changed = addNoise(changed, noise, variant.noise);
      if (variant.music !== undefined) changed = addNoise(changed, music, variant.music);
      if (variant.gain !== undefined) changed = amplify(changed, variant.gain);
      if (variant.phone) changed = await asPhone(changed);
      const { group: kind, pauses: _, ...how } = variant;
      const label = `${name} ${kind} ${JSON.stringify(how)}`;
      yield { ...common, name: label, group: kind, samples: changed, inserted: pauses };
    }
  }
}
