/**
 * Bundles the programs that run beside the site in production, where tsx isn't installed. Run by
 * `npm run build`.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { completeStandalone } from './build-standalone';
import { NODE_BUNDLE } from './node-bundle';

const PROGRAMS = ['alert', 'bucket', 'doctor', 'migrate', 'users', 'videos', 'worker'];

const root = fileURLToPath(new URL('..', import.meta.url));

await build({
  ...NODE_BUNDLE,
  entryPoints: PROGRAMS.map((name) => join(root, 'scripts', `${name}.ts`)),
  outdir: process.argv[2] ?? join(root, '.next', 'programs'),
  sourcemap: true,
});

if (process.env.BUILD_STANDALONE === '1' && !process.argv[2]) {
  await completeStandalone(
    root,
    PROGRAMS.map((name) => `${name}.mjs`),
  );
}
