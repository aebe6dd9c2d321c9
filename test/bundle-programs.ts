import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { projectRoot } from '@/local/up/data-dir';
import { NODE_BUNDLE } from '@/scripts/node-bundle';
import { PROGRAMS } from './child-program';

/** Lets a bundled module find files as it would from its own place. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      return { contents, loader: 'ts' };
    });
  },
};

/**
 * Bundles what tests start as processes. tsx would take three quarters of their time to load the app's modules one by one.
 * @returns the folder, where each has its path with `.mjs` at the end, and what removes it
 */
export async function bundlePrograms(): Promise<{ folder: string; remove(): void }> {
  // Below node_modules, where the packages are found.
  const folder = mkdtempSync(join(projectRoot, 'node_modules', '.daylight-children-'));
  await build({
    ...NODE_BUNDLE,
    entryPoints: PROGRAMS.map((file) => join(projectRoot, file)),
    outdir: folder,
    outbase: projectRoot,
    sourcemap: 'inline',
    plugins: [keepPlaces],
  });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
