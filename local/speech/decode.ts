import { spawn } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { frameLevels, frameStep, sampleRate } from './voice';

/** In seconds. A 25 MB upload that decodes to more than two hours isn't a recording from one day. */
const longestAudio = 7200;

/** Returns the command that runs another one in a sandbox, where it sees one folder and the given files. */
export type Confine = (command: string[], view: { folder: string; readable: string[] }) => Promise<string[]>;

/** The file has no readable audio. */
export class UnreadableAudio extends Error {}

/** Runs a program at low priority and returns its output. Kills it when `signal` aborts. */
export function run(
  program: string,
  args: string[],
  directory: string,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: directory,
      // Nothing else, because this process's environment has secrets.
      env: { PATH: process.env['PATH'], LC_ALL: 'C' } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'ignore'],
      signal,
      killSignal: 'SIGKILL',
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('spawn', () => {
      try {
        if (child.pid) setPriority(child.pid, 5);
      } catch {
        // It already exited, or the system has no priorities. Both are fine.
      }
    });
    let failure: Error | undefined;
    child.on('error', (error) => {
      failure = error;
      if (child.pid === undefined) reject(error);
    });
    // Waits for "close", because only then can its files be removed.
    child.on('close', (code) => {
      if (failure) reject(failure);
      else if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${code}`));
    });
  });
}

/** Returns the ffmpeg to use: `FFMPEG_PATH`, or else the one on PATH. */
function ffmpegPath(): string {
  return process.env['FFMPEG_PATH'] || 'ffmpeg';
}

/**
 * Decodes an upload to 16 kHz mono 16-bit samples. The file may be hostile, so only containers and codecs of plain
 * audio and browser recordings are allowed, and only the file itself is read. Otherwise a playlist could name any
 * file or address.
 *
 * @throws UnreadableAudio
 */
export async function decodeAudio(
  input: string,
  output: string,
  { directory, signal, confine }: { directory: string; signal: AbortSignal; confine?: Confine | undefined },
): Promise<void> {
  const args = [
    ...['-nostdin', '-v', 'error', '-protocol_whitelist', 'file,pipe'],
    ...['-format_whitelist', 'mp3,wav,ogg,flac,mov,matroska,aac'],
    ...[
      '-codec_whitelist',
      'mp3,mp3float,pcm_s16le,pcm_s24le,pcm_s32le,pcm_f32le,pcm_u8,opus,vorbis,flac,aac,alac',
    ],
    ...['-i', `file:${input}`, '-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1'],
    ...[
      '-t',
      String(longestAudio),
      '-ac',
      '1',
      '-ar',
      String(sampleRate),
      '-f',
      's16le',
      '-y',
      `file:${output}`,
    ],
  ];
  try {
    const command = [ffmpegPath(), ...args];
    const view = { folder: directory, readable: [input] };
    const [program = '', ...rest] = confine ? await confine(command, view) : command;
    await run(program, rest, directory, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new UnreadableAudio('The audio file could not be decoded.', { cause: error });
  }
}

/** Decoded audio on disk. It's read in pieces, because two hours are 230 MB. */
export type Pcm = { file: FileHandle; samples: number };

export async function openPcm(path: string): Promise<Pcm> {
  const file = await open(path);
  return { file, samples: Math.floor((await file.stat()).size / 2) };
}

/** Returns the samples `[from, to)`, or fewer at the end. */
export async function readPcm(pcm: Pcm, from: number, to: number): Promise<Int16Array> {
  const samples = new Int16Array(Math.max(0, Math.min(to, pcm.samples) - from));
  await pcm.file.read(samples, 0, samples.byteLength, from * 2);
  return samples;
}

/** Returns the level of every frame, in dB below full scale. */
export async function readLevels(pcm: Pcm, signal: AbortSignal): Promise<Float32Array> {
  const levels = new Float32Array(Math.floor(pcm.samples / frameStep));
  const piece = sampleRate * 60;
  for (let from = 0; from < pcm.samples; from += piece) {
    signal.throwIfAborted();
    levels.set(frameLevels(await readPcm(pcm, from, from + piece)), from / frameStep);
  }
  return levels;
}
