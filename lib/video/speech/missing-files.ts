import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { SPEECH_FILES } from './files';

/** Returns what the built-in engine needs and isn't there: paths from the project's folder. */
export async function findMissingFiles(): Promise<string[]> {
  const needed = ['build/speech/worker.mjs', ...Object.values(SPEECH_FILES)];
  const isThere = (file: string) =>
    access(join(/*turbopackIgnore: true*/ process.cwd(), file)).then(
      () => true,
      () => false,
    );
  const found = await Promise.all(needed.map(isThere));
  return needed.filter((_, index) => !found[index]);
}
