import { readdir, readFile } from 'node:fs/promises';
import { setImmediate as immediate } from 'node:timers/promises';
import { sendSignal } from '@/local/up/processes';

/** Returns the ids of the ffmpeg processes that work on entries, with those of their sandbox. For Linux. */
export async function ffmpegProcesses(...entryIds: string[]): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  );
  const isOne = (command = '') => entryIds.some((entryId) => command.includes(`${entryId}.step-`));
  return ids.map(Number).filter((_, index) => isOne(commands[index]));
}

/** Sends a signal to the ffmpeg that works on an entry. @returns false if none does */
export async function signalFfmpeg(entryId: string, signal: NodeJS.Signals): Promise<boolean> {
  const found = await ffmpegProcesses(entryId);
  return found.filter((id) => sendSignal(id, signal)).length > 0;
}

/** Waits for the ffmpeg of a step and pauses it, so that it can't end by itself. Returns early if the step ends. */
export async function pauseFfmpeg(entryId: string, step: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  step.then(end, end);
  while (!hasEnded) {
    if (await signalFfmpeg(entryId, 'SIGSTOP')) return;
    await immediate();
  }
}
