import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { WORKER_FILE } from '@/lib/foundation/service-worker-file';
import { VIEWER_FILES, VIEWER_FOLDER } from '@/lib/portability/exports/viewer-files';
import { SPEECH_FILES } from '@/lib/video/speech/files';
import { projectRoot } from '@/local/up/data-dir';
import { expect, test } from './fixtures';

const SERVER = join(projectRoot, '.next/server');
const MEGABYTE = 1e6;
/** What Vercel takes, without what `ffmpeg-static` adds where it could download its binary. */
const MAX_BYTES = 250 * MEGABYTE;
const FFMPEG_STATIC_BYTES = existsSync(join(projectRoot, 'node_modules/ffmpeg-static/ffmpeg'))
  ? 0
  : 90 * MEGABYTE;

interface Trace {
  /** The route's file in the build, such as `app/api/inngest/route.js`. */
  name: string;
  /** Relative to the project. */
  files: string[];
  bytes: number;
}

/** Returns what a host like Vercel packs into each function. */
function readTraces(): Trace[] {
  const traces = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.nft.json'),
  );
  return traces.map((name) => {
    const path = join(SERVER, name);
    const { files } = JSON.parse(readFileSync(path, 'utf8')) as { files: string[] };
    const found = files.map((file) => resolve(dirname(path), file));
    return {
      name: name.replace(/\.nft\.json$/, ''),
      files: found.map((file) => relative(projectRoot, file)),
      bytes: found.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0),
    };
  });
}

const JOBS = 'app/api/inngest/route.js';
const SERVICE_WORKER = 'app/sw.js/route.js';
const NEEDED = [
  'lib/video/media/wasm-runner.mjs',
  'node_modules/@ffmpeg/core/package.json',
  'node_modules/@ffmpeg/core/dist/umd/ffmpeg-core.js',
  'node_modules/@ffmpeg/core/dist/umd/ffmpeg-core.wasm',
  'build/speech/worker.mjs',
  ...Object.values(SPEECH_FILES),
  ...VIEWER_FILES.map((path) => `${VIEWER_FOLDER}/${path}`),
];
/** Tracing takes the id of Inngest's app for this file's name, which does no harm. */
const MISTAKEN = 'deploy/daylight-worker.service';
/** What the page of notices shows. */
const LICENSE = /^app\/(notices\/licenses|fonts)\/[\w-]+\.txt$/;

test('packs what prepares, transcribes, and archives videos into the function that runs jobs, and into no other', () => {
  const traces = readTraces();
  expect(traces.length).toBeGreaterThan(50);
  expect(traces.find(({ name }) => name === JOBS)?.files).toEqual(expect.arrayContaining(NEEDED));
  for (const { name, files } of traces) {
    if (name === JOBS) continue;
    const packed = files.filter((file) => /ffmpeg|wasm-runner|^build\/|\.(onnx|wasm)$/.test(file));
    expect([name, packed]).toEqual([name, name === SERVICE_WORKER ? [WORKER_FILE] : []]);
  }
});

test('packs none of the project’s sources, and less than the host takes', () => {
  const traces = readTraces();
  expect(traces.length).toBeGreaterThan(50);
  for (const { name, files, bytes } of traces) {
    const sources = files.filter(
      (file) =>
        !/^(node_modules|\.next)\//.test(file) &&
        ![...NEEDED, WORKER_FILE, MISTAKEN].includes(file) &&
        !LICENSE.test(file),
    );
    expect([name, sources]).toEqual([name, []]);
    expect(bytes, name).toBeLessThan(MAX_BYTES - FFMPEG_STATIC_BYTES);
  }
});
