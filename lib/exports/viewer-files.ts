import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where `scripts/build-viewer.ts` writes the viewer, from the project's folder. */
export const VIEWER_FOLDER = 'build/viewer';

/** The viewer's own files, by their path in the archive. */
export const VIEWER_FILES = [
  'index.html',
  'viewer/app.css',
  'viewer/app.js',
  'viewer/figtree-OFL.txt',
  'viewer/icon.svg',
  'viewer/literata-OFL.txt',
  'viewer/no-thumbnail.svg',
] as const;

/**
 * Returns the files of the archive's offline viewer, about 0.5 MB.
 * @throws Error if the viewer hasn't been built
 */
export function viewerFiles(): Promise<{ path: string; data: Buffer }[]> {
  const folder = join(/*turbopackIgnore: true*/ process.cwd(), VIEWER_FOLDER);
  return Promise.all(VIEWER_FILES.map(async (path) => ({ path, data: await readFile(join(folder, path)) })));
}
