import { z } from 'zod';

// C0 and C1 controls but for tab and line feed; nothing a person types, and Postgres refuses NUL.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** A line of text: well-formed (jsonb refuses lone surrogates), NFC, trimmed, without control characters, 1 to `max` characters (code points). */
export function text(max: number, missing = 'This is required.') {
  return z
    .string(missing)
    .max(max * 8, `Use at most ${max} characters.`)
    .transform((value) => value.toWellFormed().normalize('NFC').trim())
    .refine((value) => value.length > 0, missing)
    .refine((value) => [...value].length <= max, `Use at most ${max} characters.`)
    .refine((value) => !CONTROLS.test(value), 'Remove any invisible control characters.');
}

/** Ids are opaque to clients and UUIDs to us; anything else is simply not found. */
export const id = z.uuid();

/** A mail address, trimmed and lower-cased, at most 254 characters (RFC 5321, 4.5.3.1.3). */
export const email = z
  .string('Enter your email address.')
  .max(1000, 'This address is too long.')
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email('Enter a valid email address.').max(254, 'This address is too long.'));

/** 8 to 128 characters, any of them (NIST SP 800-63B-4, 3.1.1.2); normalized, since keyboards differ in how they compose letters. */
export const newPassword = z
  .string('Choose a password.')
  .max(1024, 'Use at most 128 characters.')
  .transform((value) => value.normalize('NFC'))
  .refine((value) => [...value].length >= 8, 'Use at least 8 characters.')
  .refine((value) => [...value].length <= 128, 'Use at most 128 characters.');

/** The parameters of an emailed link. */
export const linkParams = z.object({ uid: z.string().max(64), token: z.string().max(128) });

/** The answer of an operation that only reports success. */
export const done = z.object({});

export const accountStatus = z.enum(['VERIFIED', 'NOT_VERIFIED']);
export type AccountStatus = z.infer<typeof accountStatus>;
