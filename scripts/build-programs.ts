/**
 * Bundles the programs that run beside the site in production, where tsx isn't installed. Packages stay outside, since
 * they're installed there. Run by `npm run build`.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { completeStandalone } from './build-standalone';

const PROGRAMS = ['alert', 'bucket', 'doctor', 'migrate', 'users', 'worker'];

const root = fileURLToPath(new URL('..', import.meta.url));

await build({
  entryPoints: PROGRAMS.map((name) => join(root, 'scripts', `${name}.ts`)),
  outdir: process.argv[2] ?? join(root, '.next', 'programs'),
  outExtension: { '.js': '.mjs' },
  tsconfig: join(root, 'tsconfig.json'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
});

if (process.env.BUILD_STANDALONE === '1' && !process.argv[2]) {
  await completeStandalone(
    root,
    PROGRAMS.map((name) => `${name}.mjs`),
  );
}
