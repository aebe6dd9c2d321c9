import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What `scripts/build-viewer.ts` writes. */
const folder = () => join(/*turbopackIgnore: true*/ process.cwd(), 'build/viewer');

/**
 * Returns the viewer's own files by their path in the archive: `index.html`, and a script, styles, and pictures in
 * `viewer/`. About 0.5 MB.
 * @throws if the viewer hasn't been built
 */
export async function viewerFiles(): Promise<{ path: string; data: Buffer }[]> {
  const paths = [
    'index.html',
    ...(await readdir(join(folder(), 'viewer'))).sort().map((name) => `viewer/${name}`),
  ];
  return Promise.all(paths.map(async (path) => ({ path, data: await readFile(join(folder(), path)) })));
}
