import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { SPEECH_FILES } from '@/lib/video/speech/files';
import { readLockfile } from '@/scripts/audit-deps';
import { prunePackages } from '@/scripts/prune-packages.mjs';

const root = resolve(import.meta.dirname, '..');

/** What packages may take on disk, in MiB, as `du -sm node_modules` counts. See docs/decisions/install.md. */
const MAX_INSTALLED_MB = 900;

/** What the app imports of Inngest. */
const INNGEST_MODULES = ['inngest', 'inngest/next', 'inngest/connect'];

/** Returns the size on disk of a folder and what's in it, in bytes. Doesn't follow links. */
function sizeOnDisk(folder: string): number {
  const { blocks } = lstatSync(folder);
  const entries = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sizeOnDisk(path) : lstatSync(path).blocks * 512;
  });
  return entries.reduce((sum, size) => sum + size, blocks * 512);
}

/** Creates files in a new folder, and returns its path. */
function folderWith(paths: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-prune-'));
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  return folder;
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory()
        ? listFiles(join(folder, entry.name)).map((path) => join(entry.name, path))
        : [entry.name],
    )
    .sort();

// Programs differ in size between platforms.
it.runIf(process.platform === 'linux' && process.arch === 'x64')('installs at most 900 MB', () => {
  const modules = join(root, 'node_modules');
  // Tools keep caches in folders whose names start with a dot.
  const packages = readdirSync(modules).filter((name) => !name.startsWith('.'));
  const sizes = packages.map((name) => ({ name, mb: sizeOnDisk(join(modules, name)) / 2 ** 20 }));
  const sum = Math.ceil(sizes.reduce((total, { mb }) => total + mb, 0));
  const largest = sizes.sort((one, other) => other.mb - one.mb).slice(0, 15);
  const list = largest.map(({ name, mb }) => `${name} ${Math.round(mb)}`).join(', ');
  expect(sum, `Largest: ${list}. After --ignore-scripts, run \`npm run postinstall\`.`).toBeLessThanOrEqual(
    MAX_INSTALLED_MB,
  );
});

it('deletes source maps and unused builds, and nothing else', () => {
  const used = [
    ...Object.values(SPEECH_FILES)
      .filter((path) => path.startsWith('node_modules/'))
      .map((path) => path.slice('node_modules/'.length)),
    ...['@ffmpeg/core/dist/umd/ffmpeg-core.js', '@ffmpeg/core/dist/umd/ffmpeg-core.wasm'],
    ...['onnxruntime-web/dist/ort.wasm.bundle.min.mjs', 'onnxruntime-web/dist/ort.node.min.js'],
    ...['onnxruntime-web/dist/ort-wasm-simd-threaded.mjs', 'date-fns/add.js'],
    ...['geo/world.map', 'geo/lib/map.js', 'geo/lib/source.map.js'],
  ];
  const unused = [
    ...['@ffmpeg/core/dist/esm/ffmpeg-core.js', 'onnxruntime-web/dist/ort.wasm.min.js.map'],
    ...['onnxruntime-web/dist/ort-wasm-simd-threaded.jsep.wasm', 'onnxruntime-web/dist/ort.min.mjs'],
    ...['geo/lib/a.js.map', 'geo/lib/a.mjs.map', 'geo/lib/a.cjs.map', 'geo/lib/a.d.ts.map', 'geo/a.css.map'],
    ...['geo/node_modules/deep/a.js.map', 'date-fns/fp/add.js', 'soundswallower/model/fr-fr/mdef'],
    'selenium-webdriver/bin/linux/selenium-manager',
  ];
  const outside = folderWith(['a.js.map']);
  const modules = folderWith([...used, ...unused]);
  symlinkSync(outside, join(modules, 'linked'), 'junction');

  expect(prunePackages(modules).length).toBeGreaterThan(0);
  expect(listFiles(modules)).toEqual([...used, 'linked'].sort());
  expect(listFiles(outside)).toEqual(['a.js.map']);
  expect(prunePackages(modules)).toEqual([]);
  for (const folder of [outside, modules]) rmSync(folder, { recursive: true });
});

it('prunes a folder without packages', () => {
  const empty = folderWith([]);
  expect(prunePackages(empty)).toEqual([]);
  rmSync(empty, { recursive: true });
});

// They'd be empty objects where something expects functions.
it('loads no package that overrides replace with an empty one, with Inngest, mails, or Next', () => {
  const replaced = Object.entries(readLockfile(root)).flatMap(([path, { name }]) =>
    name === 'empty-npm-package' ? [join(root, path)] : [],
  );
  expect(replaced.length).toBeGreaterThan(4);
  const modules = [...INNGEST_MODULES, '@react-email/render', 'next'];
  const load = `for (const name of ${JSON.stringify(modules)}) require(name);
    console.log(JSON.stringify(Object.keys(require.cache)))`;
  const output = execFileSync(process.execPath, ['-e', load], { cwd: root, encoding: 'utf8' });
  const loaded = JSON.parse(output) as string[];
  expect(loaded.some((path) => path.startsWith(join(root, 'node_modules', 'inngest')))).toBe(true);
  expect(loaded.filter((path) => replaced.some((folder) => path.startsWith(`${folder}/`)))).toEqual([]);
});
