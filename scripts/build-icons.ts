import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Without its rounded corners, for systems that cut icons themselves. */
const fullBleed = (svg: string) => svg.replace(' rx="15"', '');

/** The icon of the shortcut to the studio: a record button. */
const recordButton = (svg: string) =>
  fullBleed(svg).replace(
    /<circle[^>]*\/>/,
    '<circle cx="32" cy="32" r="17" fill="none" stroke="#17664f" stroke-width="3" /><circle cx="32" cy="32" r="11" fill="#c93b32" />',
  );

const ICONS = [
  { path: 'public/icons/icon-192.png', size: 192, draw: (svg: string) => svg },
  { path: 'public/icons/icon-512.png', size: 512, draw: (svg: string) => svg },
  { path: 'public/icons/maskable-192.png', size: 192, draw: fullBleed },
  { path: 'public/icons/maskable-512.png', size: 512, draw: fullBleed },
  { path: 'app/apple-icon.png', size: 180, draw: fullBleed },
  { path: 'public/icons/record-96.png', size: 96, draw: recordButton },
];

/** Makes the PNG icons of the installed app from `app/icon.svg`. Run it after a change of that icon. */
async function buildIcons(): Promise<void> {
  await initWasm(await readFile(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const svg = await readFile(join(ROOT, 'app/icon.svg'), 'utf8');
  await mkdir(join(ROOT, 'public/icons'), { recursive: true });
  for (const { path, size, draw } of ICONS) {
    const image = new Resvg(draw(svg), { fitTo: { mode: 'width', value: size } }).render();
    await writeFile(join(ROOT, path), image.asPng());
  }
}

await buildIcons();
