import { readdir, readFile } from 'node:fs/promises';
import { setImmediate as immediate } from 'node:timers/promises';

/** Returns the ids of the ffmpeg processes that work on an entry, with those of their sandbox. For Linux. */
export async function ffmpegProcesses(entryId: string): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  );
  return ids.map(Number).filter((_, index) => commands[index]?.includes(`${entryId}.step-`));
}

/** Waits for the ffmpeg of a step and pauses it, so that it can't end by itself. Returns early if the step ends. */
export async function pauseFfmpeg(entryId: string, step: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  step.then(end, end);
  while (!hasEnded) {
    const found = await ffmpegProcesses(entryId);
    for (const id of found) {
      try {
        process.kill(id, 'SIGSTOP');
      } catch {
        // It has just ended.
      }
    }
    if (found.length > 0) return;
    await immediate();
  }
}
