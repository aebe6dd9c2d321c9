/**
 * Bundles the viewer that archives contain: a page that works from a disk, without a server. Run by `npm run build` and
 * `npm run dev`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/postcss';
import { build } from 'esbuild';
import postcss from 'postcss';
import { type VIEWER_FILES, VIEWER_FOLDER } from '@/lib/portability/exports/viewer-files';
import { replaceFile } from './browser-speech';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'components/portability/archive-viewer');
const target = join(root, VIEWER_FOLDER);

/** The licenses of everything in the viewer that others made. React's covers its packages `react-dom` and `scheduler`. */
const LICENSES = {
  React: 'node_modules/react/LICENSE',
  Lucide: 'node_modules/lucide/LICENSE',
  'Tailwind CSS': 'node_modules/tailwindcss/LICENSE',
  Figtree: 'app/fonts/figtree-OFL.txt',
  Literata: 'app/fonts/literata-OFL.txt',
};
const LICENSED = /^node_modules\/(react|react-dom|scheduler|lucide)\//;

async function licenses(): Promise<string> {
  const texts = Object.entries(LICENSES).map(
    async ([name, path]) => `${name}\n\n${(await readFile(join(root, path), 'utf8')).trim()}\n`,
  );
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}

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
    legalComments: 'none',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  });
  const outputOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  const inputs = Object.keys(metafile.inputs);
  const sources = inputs.filter((path) => !path.includes('node_modules/'));
  const unlicensed = inputs.find((path) => !sources.includes(path) && !LICENSED.test(path));
  if (unlicensed) throw new Error(`The viewer must not contain ${unlicensed}: its license isn't included.`);
  return { script: outputOf('.js'), styles: outputOf('.css'), sources };
}

/** Returns the style sheet, with the fonts in it and with the classes that the sources use. */
async function bundleStyles(imported: string, sources: string[]): Promise<string> {
  const entry = join(folder, 'viewer.css');
  const css = `${await readFile(entry, 'utf8')}${sources.map((path) => `@source "${relative(folder, join(root, path))}";`).join('\n')}`;
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
    'viewer/licenses.txt': await licenses(),
  };
  for (const [path, content] of Object.entries(files))
    await replaceFile(join(target, path), (temporary) => writeFile(temporary, content));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildViewer();
