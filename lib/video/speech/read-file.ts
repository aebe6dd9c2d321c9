import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SPEECH_FILES } from './files';
import type { ReadSpeechFile } from './types';

/**
 * Reads the engine's files from the project's folder, wherever a bundler put this code. What it reads isn't traced:
 * next.config.ts names it, for the route that runs jobs only.
 */
export const readSpeechFile: ReadSpeechFile = (file) =>
  readFile(join(/*turbopackIgnore: true*/ process.cwd(), SPEECH_FILES[file]));
