import { parseArgs } from 'node:util';
import { withJobWaits } from '@/lib/foundation/admission';
import { AppError } from '@/lib/foundation/contract/errors';
import { safeError } from '@/lib/foundation/safe-error';
import { retryVideo } from '@/lib/journal/entries/retry-video';
import { sendDue } from '@/lib/messaging/outbox/delivery';
import { readOptionsOrExplain } from '@/lib/operations/program-options';
import { MediaError } from '@/lib/video/media/errors';
import {
  checkVideo,
  countOutdatedVideos,
  countVideosInProgress,
  type OutdatedVideo,
  outdatedVideos,
  startRemake,
} from '@/lib/video/processing/remake';

const HELP = `Finds videos that an earlier version of Daylight couldn’t make, or made wrong, even while the site runs.

  npm run daylight -- videos             counts those that haven’t been checked
  npm run daylight -- videos --repair    checks them, and makes them again where this version does better

  --store-once      with --repair, also makes videos again whose upload isn’t needed any more after that, which frees space
  --at-once N       how many videos the site may be processing, uploads included, for another to be started; 1 by default
  --env-file FILE   takes the settings from this file instead of .env
  --help            shows this

It downloads each video once, so the first run takes long. If you stop it, the next one goes on from there. What’s
published plays until its replacement is ready.

Exits with 0 if nothing is left to check, 1 if something is, and 2 if the command is wrong.`;

/** Where a run prints, and how it waits for jobs. */
export interface Surroundings {
  print(text: string): void;
  /** Resolves after a few seconds. */
  pause(): Promise<void>;
}

/** Returns what the arguments ask for. @throws Error that explains why they can't be read */
function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      repair: { type: 'boolean', default: false },
      'store-once': { type: 'boolean', default: false },
      'at-once': { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (!/^[1-9]\d{0,2}$/.test(values['at-once'])) throw new Error('--at-once takes a number from 1 to 999.');
  const { repair: isRepair, help, 'store-once': storesOnce } = values;
  if (storesOnce && !isRepair) throw new Error('--store-once goes with --repair.');
  return { isRepair, help, storesOnce, atOnce: Number(values['at-once']) };
}

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** Prints how many there are. @returns the exit code */
async function countVideos(print: Surroundings['print']): Promise<0 | 1> {
  const { failed, unchecked } = await countOutdatedVideos();
  if (failed + unchecked === 0) {
    print('Every video is up to date.');
    return 0;
  }
  print(`${counted(failed, 'video', 'videos')} failed, and may work now.`);
  print(`${counted(unchecked, 'video', 'videos')} from an earlier version may need to be made again.`);
  print('--repair checks them.');
  return 1;
}

/** Waits until few enough videos are being processed. */
async function waitForTurn(atOnce: number, { print, pause }: Surroundings): Promise<void> {
  for (let isSaid = false; (await countVideosInProgress()) >= atOnce; isSaid = true) {
    if (!isSaid) print('Waiting for the videos that are being processed …');
    await pause();
  }
}

/**
 * Starts the job of a video that failed, or that's wrong.
 * @returns why it was started; null if it's right, or the entry was changed or removed in the meantime
 * @throws MediaError or AppError if that can't be found out
 */
async function repairVideo(
  video: OutdatedVideo,
  storesOnce: boolean,
  waitTurn: () => Promise<void>,
): Promise<string | null> {
  if (video.hasFailed) {
    await waitTurn();
    await retryVideo(video.userId, video.entryId);
    return 'failed before';
  }
  const reasons = await checkVideo(video, storesOnce);
  if (reasons.length === 0) return null;
  await waitTurn();
  return (await startRemake(video, reasons)) ? reasons.join(', ') : null;
}

/** Returns why one video can't be checked. @throws every error that others would have, too */
function explainOne(error: unknown): string {
  const isOwn =
    (error instanceof MediaError && error.kind !== 'no_ffmpeg') ||
    (error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found'));
  if (!isOwn) throw error;
  return error.message;
}

/** Checks all videos, and has the wrong ones made again. @returns the exit code */
async function repairVideos(
  { atOnce, storesOnce }: { atOnce: number; storesOnce: boolean },
  surroundings: Surroundings,
): Promise<0 | 1> {
  const { print } = surroundings;
  const tally = { found: 0, started: 0, left: 0 };
  for await (const video of outdatedVideos(storesOnce)) {
    tally.found += 1;
    try {
      const reason = await repairVideo(video, storesOnce, () => waitForTurn(atOnce, surroundings));
      if (reason === null) continue;
      tally.started += 1;
      print(`Making ${video.entryId} again (${reason}).`);
      await sendDue('event');
    } catch (error) {
      print(`Skipped ${video.entryId}. ${explainOne(error)}`);
      tally.left += 1;
    }
  }
  const { found, started, left } = tally;
  print(
    `Checked ${counted(found, 'video', 'videos')}. Being made again: ${started}. Fine: ${found - started - left}. Couldn’t be checked: ${left}.`,
  );
  return left > 0 ? 1 : 0;
}

/** Runs `npm run daylight -- videos`. @returns the exit code, as the help explains it */
export async function runVideos(args: string[], surroundings: Surroundings): Promise<0 | 1 | 2> {
  const { print } = surroundings;
  const options = readOptionsOrExplain(() => readOptions(args), HELP, { print });
  if (typeof options === 'number') return options;
  try {
    return await withJobWaits(() =>
      options.isRepair ? repairVideos(options, surroundings) : countVideos(print),
    );
  } catch (error) {
    const { name, message } = safeError(error);
    print(
      `Stopped: ${message} (${name}). Run npm run daylight -- doctor to find out why, and this again after that.`,
    );
    return 1;
  }
}
