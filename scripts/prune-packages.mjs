/**
 * Deletes what no program of Daylight reads from node_modules: source maps, and builds of packages for other uses. npm
 * runs this after `npm ci` and `npm install` (docs/decisions/install.md). It only saves disk space, so it never
 * fails an installation, and everything works without it, such as with `--ignore-scripts`.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE_MAP = /\.(?:css|[cm]?[jt]s)\.map$/;

/** Unused files and folders of packages: the folder they're in, and their names. */
const UNUSED_BUILDS = [
  // Node can't import the ESM build, and only Node runs ffmpeg.
  { folder: '@ffmpeg/core/dist', names: /^esm$/ },
  // The speech engine imports onnxruntime-web/wasm. The others are for WebGPU, WebGL, and WebNN.
  {
    folder: 'onnxruntime-web/dist',
    names: /^ort\.(?!wasm\.|node\.)|^ort-wasm-simd-threaded\.(?:asyncify|jsep|jspi)\./,
  },
  // The date picker uses the functions whose data comes first.
  { folder: 'date-fns', names: /^fp$/ },
  // The browser lab names its driver, so none has to be found or downloaded.
  { folder: 'selenium-webdriver/bin', names: /./ },
  // Words are aligned in English only.
  { folder: 'soundswallower/model', names: /^fr-fr$/ },
];

/** Returns the paths of all source maps in a folder. Doesn't follow links, which may lead out of it. */
function findSourceMaps(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return findSourceMaps(path);
    return entry.isFile() && SOURCE_MAP.test(entry.name) ? [path] : [];
  });
}

/** Returns the paths of unused builds of packages, as far as they're installed. */
function findUnusedBuilds(modules) {
  return UNUSED_BUILDS.flatMap(({ folder, names }) => {
    try {
      const found = readdirSync(join(modules, folder)).filter((name) => names.test(name));
      return found.map((name) => join(modules, folder, name));
    } catch (error) {
      if (error.code === 'ENOENT') return [];
      throw error;
    }
  });
}

/** Deletes the unused files from a folder named node_modules, and returns their paths. */
export function prunePackages(modules) {
  const unused = [...findUnusedBuilds(modules), ...findSourceMaps(modules)];
  for (const path of unused) rmSync(path, { recursive: true, force: true });
  return unused;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    prunePackages(fileURLToPath(new URL('../node_modules', import.meta.url)));
  } catch (error) {
    console.warn(`Unused files of packages weren't deleted: ${error.message}`);
  }
}
