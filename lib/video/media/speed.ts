import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MediaError } from './errors';
import { runSuccessfully } from './ffmpeg';
import type { FfmpegTool } from './locate-ffmpeg';

/** A gray WebM of 16 × 16 pixels and one frame: ffmpeg isn't run without an input. */
const INPUT = [
  'GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZwH/////////EU2bdKtNu4tTq4QVSalmU6yBoU27i1Or',
  'hBZUrmtTrIG7TbuMU6uEElTDZ1OsggEB7AEAAAAAAABoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmlSrX',
  'sYMPQkBNgIRMYXZmV0GETGF2ZhZUrmvBrgEAAAAAAAA414EBc8WIAAAAAAAAAAGcgQAitZyDdW5kiIEAhoVWX1ZQOIOBASPj',
  'g4Q7msoA4ImwgRC6gRCagQISVMNnrHNzqWPAi2PFiAAAAAAAAAABZ8iYRaOHRU5DT0RFUkSHi0xhdmMgbGlidnB4H0O2dafn',
  'gQCjooEAAIAQAgCdASoQABAAAEcIhYWImYSIAgIADA1gAP7D4AA=',
].join('');

/**
 * How many frames to encode, how often, and how many seconds that takes on the core that `COSTS` were measured on. The
 * WebAssembly build compiles itself as it runs, which is most of its second, so it runs once.
 */
const TRIALS = {
  native: { frames: 64, rounds: 3, seconds: 0.2 },
  wasm: { frames: 24, rounds: 1, seconds: 1 },
};

/** What's believed at most and at least, whatever a busy machine makes of the trial. */
const [SLOWEST, FASTEST] = [0.25, 4];

/** How long a trial may take, in seconds. */
const MAX_SECONDS = 30;

/**
 * Encodes a second of moving lines and measures the time by the clock, since a host may give less than a core. The best
 * round counts.
 * @param folder a private folder for its input
 * @returns how fast this ffmpeg is here, as `FfmpegSpeed` has it
 * @throws MediaError
 */
export async function measureSpeed(tool: FfmpegTool, folder: string): Promise<number> {
  const { frames, rounds, seconds } = TRIALS[tool.kind];
  const path = join(folder, 'trial.webm');
  await writeFile(path, Buffer.from(INPUT, 'base64'));
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) best = Math.min(best, await runTrial(tool, path, frames));
  return Math.min(Math.max(seconds / best, SLOWEST), FASTEST);
}

async function runTrial(tool: FfmpegTool, path: string, frames: number): Promise<number> {
  const { stderr } = await runSuccessfully(tool, {
    kind: 'ffmpeg',
    input: { path },
    args: [
      ...['-benchmark', '-filter_complex', 'testsrc2=size=640x360:rate=30,format=yuv420p[v]', '-map', '[v]'],
      ...['-frames:v', String(frames), '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23'],
      ...['-f', 'null', '-'],
    ],
    maxSeconds: MAX_SECONDS,
    // ffmpeg says then how long it took without its start, which doesn't count here.
    logLevel: 'info',
  });
  const seconds = Number(/ rtime=([\d.]+)s/.exec(stderr)?.[1]);
  if (!(seconds > 0)) throw new MediaError('failed', `ffmpeg didn’t say how long it took. ${stderr}`);
  return seconds;
}
