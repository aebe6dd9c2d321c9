import { db } from '@/db/client';
import { env } from '@/lib/foundation/env';
import { log } from '@/lib/foundation/log';
import { withTimeout } from '@/lib/foundation/shared/with-timeout';
import { operatorEmail } from '@/lib/foundation/site';
import { diskFullMail } from '@/lib/messaging/mails/operator-mails';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import { describeFileSystem, describeLow, type FileSystem, isLow, readFileSystems } from './disk';

/** How long reading a disk may take, in milliseconds. One in a network may never answer. */
const TIMEOUT_MS = 1000;

let reading: ReturnType<typeof readFileSystems> | undefined;

/**
 * Returns the watched file systems; none where functions run, or while one doesn't answer. Callers in that time share the
 * wait, because each call of statfs(2) may block a thread.
 */
export async function readDisks(): Promise<FileSystem[]> {
  if (env().SERVERLESS) return [];
  reading ??= readFileSystems().finally(() => {
    reading = undefined;
  });
  const read = await withTimeout(reading, TIMEOUT_MS, () => null);
  return read?.systems ?? [];
}

/** The folders of the disks that were last logged, so that a full disk is a line and not one a second. */
let logged = '';

/** Returns whether a disk is almost full. Logs it if that has changed. @param isLogged false to log nothing */
export async function isDiskLow({ isLogged }: { isLogged: boolean }): Promise<boolean> {
  const low = (await readDisks()).filter(isLow);
  const state = low.map(({ folders }) => folders.join()).join();
  if (isLogged && state !== logged) {
    logged = state;
    for (const system of low) log.warn({ event: 'health.disk_low' }, `health: ${describeLow(system)}`);
    if (!state)
      log.info({ event: 'health.disk_recovered' }, 'health: every disk has enough free space again');
  }
  return low.length > 0;
}

/** Emails the operator while a disk is almost full, at most once a day. */
export async function sendDiskWarning(): Promise<void> {
  const to = operatorEmail();
  if (!to) return;
  const low = (await readDisks()).filter(isLow);
  if (low.length > 0)
    await enqueueMail(db(), await diskFullMail(to, low.map(describeFileSystem)), 'disk-full');
}
