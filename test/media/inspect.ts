import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface MediaInfo {
  format: { format_name: string; duration: string; tags?: Record<string, string> };
  streams: {
    codec_type: string;
    codec_name: string;
    pix_fmt?: string;
    width?: number;
    height?: number;
    channels?: number;
    nb_frames?: string;
    disposition?: { default: number };
    tags?: Record<string, string>;
    side_data_list?: { rotation?: number }[];
  }[];
}

/** What the machine's own ffprobe says of a file that Daylight made. */
export async function inspectMedia(path: string): Promise<MediaInfo> {
  const args = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', path];
  return JSON.parse((await promisify(execFile)('ffprobe', args)).stdout);
}

/** Decodes every frame; what ffmpeg complains about, or an empty string. */
export async function decodingErrors(path: string): Promise<string> {
  const args = [
    '-nostdin',
    '-v',
    'error',
    '-err_detect',
    'explode',
    '-xerror',
    '-i',
    path,
    '-f',
    'null',
    '-',
  ];
  const { stderr } = await promisify(execFile)('ffmpeg', args).catch((error: { stderr: string }) => error);
  return stderr;
}

/** Every pixel's luma of a picture, 0 to 255, on average. */
export async function meanLuma(path: string): Promise<number> {
  const args = ['-nostdin', '-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1'];
  const { stdout } = await promisify(execFile)('ffmpeg', args, { encoding: 'buffer', maxBuffer: 64_000_000 });
  return stdout.reduce((sum, value) => sum + value, 0) / stdout.length;
}

/** The ids of the processes whose command line holds a text (Linux). */
export async function findProcesses(text: string): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')));
  return ids.filter((_, index) => lines[index]?.includes(text)).map(Number);
}

/** Watches the processes whose command line holds a text; `stop` gives their highest resident memory in bytes. */
export function trackPeakMemory(text: string): { stop: () => Promise<number> } {
  let peak = 0;
  const look = async () => {
    for (const id of await findProcesses(text)) {
      const status = await readFile(`/proc/${id}/status`, 'latin1').catch(() => '');
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024);
    }
  };
  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, 15);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
      return peak;
    },
  };
}

/** Waits until something holds, for at most ten seconds. */
export async function waitUntil<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error('It never came to pass.');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Seconds from the first to the last frame that can be decoded of a recording; 0 where there is none. */
export async function decodableSeconds(path: string): Promise<number> {
  const args = [
    '-v',
    'quiet',
    '-select_streams',
    'v',
    '-show_entries',
    'frame=pts_time',
    '-of',
    'csv=p=0',
    path,
  ];
  // A file without a single frame is an error to ffprobe.
  const { stdout } = await promisify(execFile)('ffprobe', args, { maxBuffer: 16_000_000 }).catch(() => ({
    stdout: '',
  }));
  const times = stdout.split('\n').map(Number.parseFloat).filter(Number.isFinite);
  return (times.at(-1) ?? 0) - (times[0] ?? 0);
}
