/**
 * Runs one ffmpeg or ffprobe command in @ffmpeg/core (WebAssembly) and exits. Started only by runFfmpeg, as a
 * child process, because the build has no threads and blocks its process until it is done: a process can be
 * killed. The command sees /in/input (read from disk piece by piece, never copied into memory) and /out/output.
 *
 * stdin: { core, kind, args, input, output, files }, where core is the path of the UMD script and output may be null. Each
 * of the files has a path on disk, and the name that the command's arguments have for it.
 */
import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const job = JSON.parse(readFileSync(0, 'utf8'));

// The build believes that it runs in a browser's worker: it wants these three names and nothing else of one.
globalThis.self = globalThis;
globalThis.location = { href: '' };
globalThis.FileReaderSync = class {
  readAsArrayBuffer(piece) {
    return piece.read();
  }
};

const source = openSync(job.input, 'r');
const sourceSize = statSync(job.input).size;

/** What WORKERFS asks of a Blob: its size and slices of it. */
const sourceBlob = {
  size: sourceSize,
  slice(start, end) {
    const size = Math.max(0, Math.min(end, sourceSize) - start);
    return {
      size,
      read() {
        const bytes = new Uint8Array(size);
        readSync(source, bytes, 0, size, start);
        return bytes.buffer;
      },
    };
  },
};

const createCore = createRequire(import.meta.url)(job.core);
const core = await createCore({ wasmBinary: readFileSync(join(dirname(job.core), 'ffmpeg-core.wasm')) });
core.setLogger(({ type, message }) => writeSync(type === 'stdout' ? 1 : 2, `${message}\n`));
core.FS.mkdir('/in');
core.FS.mkdir('/out');
for (const { path, name } of job.files) core.FS.writeFile(`/${name}`, readFileSync(path));
core.FS.mount(core.FS.filesystems.WORKERFS, { blobs: [{ name: 'input', data: sourceBlob }] }, '/in');

// This build's ffprobe answers -1 whether it went well or not: its caller has to judge by what it printed.
const answer = job.kind === 'ffprobe' ? core.ffprobe(...job.args) : core.exec(...job.args);
const code = job.kind === 'ffprobe' ? 0 : answer;
if (code === 0 && job.output) writeFileSync(job.output, core.FS.readFile('/out/output'));
closeSync(source);
process.exit(code);
