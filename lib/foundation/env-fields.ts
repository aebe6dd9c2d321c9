import { isAbsolute } from 'node:path';
import { z } from 'zod';

/** A web address, without slashes at its end. */
export const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

/**
 * A whole number.
 * @param example a usual one, for whoever wrote something else
 */
export function wholeNumber(example: number, { min = 0, max }: { min?: number; max?: number } = {}) {
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  const message = `must be a whole number ${range}, such as ${example}`;
  const isWithin = (value: number) => value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER);
  return z.string().trim().regex(/^\d+$/, message).transform(Number).refine(isWithin, message);
}

/** A share, from 0 to 1. */
export const share = z
  .string()
  .trim()
  .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1, such as 0.1')
  .transform(Number);

const MIN_SECRET = 32;

/**
 * Splits a comma-separated list of secrets, newest first: the first one encrypts, all of them decrypt. A passphrase with
 * commas in it stays whole, as its pieces are too short to be secrets.
 */
function listSecrets(value: string): [string, ...string[]] {
  const [newest = value, ...older] = value.split(',').map((secret) => secret.trim());
  return [newest, ...older].every((secret) => secret.length >= MIN_SECRET) ? [newest, ...older] : [value];
}

/** Secrets, newest first. */
export const secrets = z
  .string()
  .min(MIN_SECRET, `must be at least ${MIN_SECRET} characters long`)
  .transform(listSecrets);

/** The address of an email server. */
export const smtpUrl = z
  .string()
  .refine(
    (value) => /^smtps?:\/\/./.test(value) && URL.canParse(value) && new URL(value).hostname !== '',
    'must look like smtp://user:password@host:587',
  );

/** Where people can write to. */
export const contact = z
  .string()
  .trim()
  .refine(
    (value) => z.email().safeParse(value).success || url.safeParse(value).success,
    'must be an email address or the address of a web page',
  );

/** Absolute paths of folders, separated by commas. */
export const folders = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((folder) => folder.trim())
      .filter((folder) => folder !== ''),
  )
  .refine(
    (value) => value.every((folder) => isAbsolute(folder)),
    'must be absolute paths of folders, separated by commas, such as /srv/daylight,/backup',
  );
