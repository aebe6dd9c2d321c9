/**
 * Bundles the viewer that archives contain: a page that works from a disk, without a server. Run by `npm run build` and
 * `npm run dev`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/postcss';
import { build } from 'esbuild';
import postcss from 'postcss';
import { type VIEWER_FILES, VIEWER_FOLDER } from '@/lib/exports/viewer-files';
import { replaceFile } from './browser-speech';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'components/archive-viewer');
const target = join(root, VIEWER_FOLDER);

/** Returns the script, the styles that its components import, and the project's own sources of it. */
async function bundleScript(): Promise<{ script: string; styles: string; sources: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, 'main.tsx')],
    outdir: target,
    tsconfig: join(root, 'tsconfig.json'),
    absWorkingDir: root,
    alias: { 'next/link': join(folder, 'link.tsx') },
    define: { 'process.env.NODE_ENV': '"production"' },
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  });
  const outputOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  const sources = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'));
  return { script: outputOf('.js'), styles: outputOf('.css'), sources };
}

/** Returns the style sheet, with the fonts in it and with the classes that the sources use. */
async function bundleStyles(imported: string, sources: string[]): Promise<string> {
  const entry = join(folder, 'viewer.css');
  const css = `${await readFile(entry, 'utf8')}${sources.map((path) => `@source "../../${path}";`).join('\n')}`;
  const { css: compiled } = await postcss([tailwind({ base: root })]).process(css, { from: entry });
  const { outputFiles } = await build({
    stdin: { contents: `${compiled}\n${imported}`, loader: 'css', resolveDir: folder },
    loader: { '.woff2': 'dataurl' },
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

/** Writes `build/viewer`, which `viewerFiles` reads. Programs that are reading an earlier one keep it. */
export async function buildViewer(): Promise<void> {
  const { script, styles, sources } = await bundleScript();
  const files: Record<(typeof VIEWER_FILES)[number], Uint8Array | string> = {
    'viewer/app.js': script,
    'viewer/app.css': await bundleStyles(styles, sources),
    'index.html': await readFile(join(folder, 'index.html')),
    'viewer/no-thumbnail.svg': await readFile(join(folder, 'no-thumbnail.svg')),
    'viewer/icon.svg': await readFile(join(root, 'app/icon.svg')),
    // The licenses of the fonts in the style sheet.
    'viewer/figtree-OFL.txt': await readFile(join(root, 'app/fonts/figtree-OFL.txt')),
    'viewer/literata-OFL.txt': await readFile(join(root, 'app/fonts/literata-OFL.txt')),
  };
  for (const [path, content] of Object.entries(files))
    await replaceFile(join(target, path), (temporary) => writeFile(temporary, content));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildViewer();
