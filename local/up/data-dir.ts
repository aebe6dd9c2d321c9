import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userError } from './user-error';

/** The variables of an environment. */
export type Environment = Record<string, string | undefined>;

/** The minimum for a start, an upload and its processed video, in bytes. */
const MIN_FREE_BYTES = 300e6;

/** Writes a private file (mode 600) atomically. It's on disk before it gets its name. */
export function writePrivately(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}.tmp`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

/** Reads a JSON file. Returns null if it doesn't exist, and throws if it isn't JSON. */
export function readJson<T>(path: string): T | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw userError(
      `${path} is damaged: it isn't valid JSON. Restore it from a backup, or move it away.`,
      cause,
    );
  }
}

/** Creates the data folder. Throws if it isn't writable or its disk is full. */
export function openDataDir(path: string): string {
  const dataDir = resolve(path);
  try {
    mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
    accessSync(join(dataDir, 'logs'), constants.W_OK);
  } catch (cause) {
    throw userError(
      `Can't write to ${dataDir} (${(cause as NodeJS.ErrnoException).code}). Change its owner, or set DATA_DIR to a folder you own.`,
      cause,
    );
  }
  const disk = statfsSync(dataDir);
  const free = disk.bavail * disk.bsize;
  if (free < MIN_FREE_BYTES) {
    throw userError(
      `The disk of ${dataDir} is full: ${Math.round(free / 1e6)} MB are free, and Daylight needs ${MIN_FREE_BYTES / 1e6} MB to start. Free some space, or set DATA_DIR to a folder on another disk.`,
    );
  }
  return dataDir;
}

export type Secrets = {
  authSecret: string;
  s3AccessKeyId: string;
  s3SecretAccessKey: string;
  inngestEventKey: string;
  inngestSigningKey: string;
  resendApiKey: string;
  stripeSecretKey: string;
  stripeWebhookSecret: string;
};

const generateSecrets = (): Secrets => ({
  authSecret: randomBytes(32).toString('base64url'),
  s3AccessKeyId: `LOCAL${randomBytes(10).toString('hex').toUpperCase().slice(0, 15)}`,
  s3SecretAccessKey: randomBytes(30).toString('base64url'),
  inngestEventKey: randomBytes(24).toString('base64url'),
  // The format that Inngest's SDK parses: a prefix and hexadecimal digits.
  inngestSigningKey: `signkey-prod-${randomBytes(32).toString('hex')}`,
  resendApiKey: `re_${randomBytes(18).toString('base64url')}`,
  stripeSecretKey: `sk_test_${randomBytes(24).toString('hex')}`,
  stripeWebhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
});

/** Loads this copy's secrets from `secrets.json` (mode 600). Creates the ones that don't exist yet. */
export function loadSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  const kept = readJson<Partial<Secrets>>(path);
  const secrets = { ...generateSecrets(), ...kept };
  if (!kept || Object.keys(secrets).length > Object.keys(kept).length) writePrivately(path, secrets);
  return secrets;
}

/** The folder of the project itself, where package.json is. */
export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
