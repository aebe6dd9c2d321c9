import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where `scripts/build-viewer.ts` writes the viewer, from the project's folder. */
export const VIEWER_FOLDER = 'build/viewer';

/** The viewer's own files, by their path in the archive. */
export const VIEWER_FILES = [
  'index.html',
  'viewer/app.css',
  'viewer/app.js',
  'viewer/icon.svg',
  'viewer/licenses.txt',
  'viewer/no-thumbnail.svg',
] as const;

// One expression, so that the tracer packs the files that next.config.ts names, and not every file there is.
const readViewerFile = (path: string): Promise<Buffer> =>
  readFile(join(/*turbopackIgnore: true*/ process.cwd(), VIEWER_FOLDER, path));

/**
 * Returns the files of the archive's offline viewer, about 0.5 MB.
 * @throws Error if the viewer hasn't been built
 */
export const viewerFiles = (): Promise<{ path: string; data: Buffer }[]> =>
  Promise.all(VIEWER_FILES.map(async (path) => ({ path, data: await readViewerFile(path) })));
