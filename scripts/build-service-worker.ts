/** Bundles the service worker that `/sw.js` answers with. Run by `npm run build` and `npm run dev`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { WORKER_FILE } from '@/lib/foundation/service-worker-file';
import { replaceFile } from './browser-speech';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the bundle: one script, without comments. */
export async function bundleServiceWorker(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'components/shell/offline/worker/main.ts')],
    inject: [join(root, 'components/shell/offline/worker/page-globals.ts')],
    tsconfig: join(root, 'tsconfig.json'),
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const script = await bundleServiceWorker();
  await replaceFile(join(root, WORKER_FILE), (temporary) => writeFile(temporary, script));
}
