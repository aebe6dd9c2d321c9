import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RecognizedPassage } from '@/lib/video/speech/types';
import { projectRoot } from '@/local/up/data-dir';

/** What became of one video. */
export interface Heard {
  seconds: number;
  /** From the video to the words, ffmpeg included. */
  cpuSeconds: number;
  passages: RecognizedPassage[];
}

export interface RecognizerReport {
  loadCpuSeconds: number;
  /** The most memory the process held. */
  peakKilobytes: number;
  heard: Heard[];
}

/** Recognizes videos in a process of their own, and removes them. */
export async function recognize(files: readonly string[], folder: string): Promise<RecognizerReport> {
  const list = join(folder, 'videos.json');
  writeFileSync(list, JSON.stringify(files));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'lab/speech/recognizer-process.ts', list],
    { cwd: projectRoot, maxBuffer: 1_000_000_000 },
  );
  for (const file of files) rmSync(file);
  return JSON.parse(stdout);
}
