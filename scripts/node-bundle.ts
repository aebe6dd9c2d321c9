import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

/** How programs for Node are bundled. Packages stay outside, so they have to be installed where a program runs. */
export const NODE_BUNDLE = {
  tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)),
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
} satisfies BuildOptions;
