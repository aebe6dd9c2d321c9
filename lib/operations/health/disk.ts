import { stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { db } from '@/db/client';
import { briefBytes } from '@/lib/billing/plans/shared/file-limits';
import { env } from '@/lib/foundation/env';
import { log } from '@/lib/foundation/log';
import { withTimeout } from '@/lib/foundation/shared/with-timeout';
import { operatorEmail } from '@/lib/foundation/site';
import { diskFullMail } from '@/lib/messaging/mails/operator-mails';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import { WORKING_COPIES } from '@/lib/video/processing/job-limits';
import { uploadMaxBytes } from '@/lib/video/uploads/service';
import type { Finding } from './finding';

/** A file system with less free space than this share is low. */
const LOW_SHARE = 0.1;

/** What statfs(2) calls file systems that are in memory: tmpfs and ramfs. */
const IN_MEMORY = new Set([0x01021994, 0x858458f6]);

const list = new Intl.ListFormat('en-US');

/** A file system, by the watched folders that are on it. */
interface FileSystem {
  folders: string[];
  /** What a process without root's rights may still write, in bytes. */
  freeBytes: number;
  /** Which share of the space that such a process can have is free, as df computes it: 0 to 1. */
  freeShare: number;
  isInMemory: boolean;
}

/** Reads a folder's file system, and which one it is. @throws if there's no such folder */
async function readFileSystem(folder: string): Promise<{ device: number; system: FileSystem }> {
  const [{ dev }, { bavail, bfree, blocks, bsize, type }] = await Promise.all([stat(folder), statfs(folder)]);
  const available = bavail + (blocks - bfree);
  return {
    device: dev,
    system: {
      folders: [folder],
      freeBytes: bavail * bsize,
      freeShare: available > 0 ? bavail / available : 1,
      isInMemory: IN_MEMORY.has(type),
    },
  };
}

/** Returns each file system that the operator wants watched, or that jobs work on, and the folders that can't be read. */
async function readFileSystems(): Promise<{ systems: FileSystem[]; missing: string[] }> {
  const folders = [...new Set([...env().DISK_FOLDERS, tmpdir()])];
  const systems = new Map<number, FileSystem>();
  const missing: string[] = [];
  for (const folder of folders) {
    const found = await readFileSystem(folder).catch(() => null);
    if (!found) {
      missing.push(folder);
      continue;
    }
    const known = systems.get(found.device);
    if (known) known.folders.push(folder);
    else systems.set(found.device, found.system);
  }
  return { systems: [...systems.values()], missing };
}

const isLow = ({ freeShare }: FileSystem): boolean => freeShare < LOW_SHARE;

/** Says how much is free, as a sentence. */
const describeFileSystem = ({ folders, freeBytes, freeShare, isInMemory }: FileSystem): string =>
  `${list.format(folders)}${isInMemory ? ' (in memory)' : ''}: ${briefBytes(freeBytes)} free, ${Math.floor(freeShare * 100)}%.`;

/** Says that little is free, and what to do, in sentences for the operator. */
const describeLow = ({ folders, freeBytes, freeShare }: FileSystem): string =>
  `The disk of ${list.format(folders)} is almost full: ${briefBytes(freeBytes)} is free, ${Math.floor(freeShare * 100)}%. Delete what you no longer need there, or switch to a larger disk.`;

/** Returns what's wrong if the largest upload doesn't fit where jobs work, in sentences; undefined if it does. */
async function describeWorkingSpace(): Promise<string | undefined> {
  const folder = tmpdir();
  const found = await readFileSystem(folder).catch(() => null);
  const largest = uploadMaxBytes();
  const needed = largest * WORKING_COPIES;
  if (!found || found.system.freeBytes >= needed) return undefined;
  const { freeBytes, isInMemory } = found.system;
  const advice = isInMemory
    ? 'Set TMPDIR to a folder on a disk, such as /var/tmp.'
    : 'Free up space there, set TMPDIR to a folder on a larger disk, or lower the size limit with JOB_MAX_BYTES.';
  return `There’s ${briefBytes(freeBytes)} free in ${folder}${isInMemory ? ', which is in memory' : ''}, and preparing the largest video that’s allowed (${briefBytes(largest)}) takes up to ${briefBytes(needed)}. ${advice}`;
}

const NO_DISK_HERE = 'The site runs in functions, whose disks you don’t have to manage.';

/** Checks the disks of this machine, unless the host runs functions. */
export async function checkDisk(): Promise<Finding> {
  if (env().SERVERLESS) return { problems: [], skipped: { name: 'Free space', why: NO_DISK_HERE } };
  const [{ systems, missing }, working] = await Promise.all([readFileSystems(), describeWorkingSpace()]);
  return {
    problems: missing.map((folder) =>
      env().DISK_FOLDERS.includes(folder)
        ? `The folder ${folder} in DISK_FOLDERS doesn’t exist, or can’t be read. Create it, or fix DISK_FOLDERS.`
        : `Jobs can’t work, because the folder for temporary files, ${folder}, doesn’t exist. Create it, or fix TMPDIR.`,
    ),
    facts: systems.filter((system) => !isLow(system)).map(describeFileSystem),
    notes: [...systems.filter(isLow).map(describeLow), ...(working ? [working] : [])],
  };
}

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
