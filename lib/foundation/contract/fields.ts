import { z } from 'zod';
import { cleanText, isBlank } from '@/lib/foundation/shared/clean-text';

/**
 * The characters of which a text needs one, for the OpenAPI document: those that `isBlank` doesn't count, as far as they have
 * 16 bits.
 */
const VISIBLE = String.raw`[^\s\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8]`;

/** A text as `cleanText` stores it, with something that can be seen, and at most `max` characters (code points). */
export function text(max: number, missing = 'This is required.') {
  return z
    .string(missing)
    .max(max * 8, `Use at most ${max} characters.`)
    .transform(cleanText)
    .refine((value) => !isBlank(value), missing)
    .refine((value) => value.length <= max || [...value].length <= max, `Use at most ${max} characters.`)
    .meta({
      minLength: 1,
      maxLength: max,
      pattern: VISIBLE,
      description:
        'Control characters are removed, and spaces at the ends. Needs a visible character. Characters are counted after Unicode normalization (NFC).',
    });
}

/** A text as in {@link text}, or null if there's nothing to see in it. */
export function textOrNone(max: number) {
  return z
    .string()
    .max(max * 8, `Use at most ${max} characters.`)
    .transform((value) => (isBlank(value) ? null : cleanText(value)))
    .refine(
      (value) => value === null || value.length <= max || [...value].length <= max,
      `Use at most ${max} characters.`,
    )
    .meta({ maxLength: max, description: 'Blank for none.' });
}

/** Ids are opaque to clients and UUIDs to us; anything else is simply not found. */
export const id = z.uuid();

/** An id in a response, which isn't checked again. */
export const resourceId = z.string().meta({ format: 'uuid' });

/** A mail address, trimmed and lower-cased, at most 254 characters (RFC 5321, 4.5.3.1.3). */
export const email = z
  .string('Enter your email address.')
  .max(1000, 'This address is too long.')
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email('Enter a valid email address.').max(254, 'This address is too long.'))
  .meta({ format: 'email', maxLength: 254, description: 'Not case-sensitive.' });

/** 8 to 128 characters, any of them (NIST SP 800-63B-4, 3.1.1.2); normalized, since keyboards differ in how they compose letters. */
export const newPassword = z
  .string('Choose a password.')
  .max(1024, 'Use at most 128 characters.')
  .transform((value) => value.normalize('NFC'))
  .refine((value) => [...value].length >= 8, 'Use at least 8 characters.')
  .refine((value) => [...value].length <= 128, 'Use at most 128 characters.')
  .meta({
    minLength: 8,
    maxLength: 128,
    example: 'a lamp, a boat and rain',
    description: 'Any characters, counted after Unicode normalization (NFC). Common passwords are refused.',
  });

/** Returns whether this server knows a time zone by this name. Offsets such as `+02:00` aren't names: they have no DST. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}

/** A name from the IANA time zone database. */
export const timeZoneName = z.string('Choose a time zone.').refine(isTimeZone, 'Choose a time zone.').meta({
  example: 'America/New_York',
  description: 'A name from the IANA time zone database.',
});

/** The parts of an emailed link. */
export const linkUser = z.string().max(64).meta({
  description: 'The first part of the emailed link.',
  example: 'MDE5NWYyYTAtN2MxZS03ZDNiLTlhNTEtMmY2YzhlNGIxZDkw',
});
export const linkToken = z.string().max(128).meta({
  description: 'The second part of the emailed link.',
  example: 'q3Jm0Yx1n2V8sK4tB7dR9wE5uH6cL1pF0aZ3gTgXyMo',
});

/** The parameters of an emailed link. */
export const linkParams = z.object({ uid: linkUser, token: linkToken });

/** What continues a list; tells nothing to clients. */
export const cursor = z.string().max(300).optional().meta({
  description: 'Which page to return. Don’t build it: follow the link in the `Link` header.',
  example:
    'WyIyMDI2LTAzLTAxIiwiMjAyNi0wMy0wMVQxODozMDowMC4wMDBaIiwiMDE5NWYyYTAtN2MxZS03ZDNiLTlhNTEtMmY2YzhlNGIxZDkwIl0',
});

/** The answer of an operation that only reports success. */
export const done = z.object({}).meta({ id: 'Done', description: 'Nothing but success.' });

const accountStatus = z.enum(['VERIFIED', 'NOT_VERIFIED']);
export type AccountStatus = z.infer<typeof accountStatus>;

/** The answer of operations that sign someone in, or tell how far the account is. */
export const accountStatusAnswer = z
  .object({ accountStatus })
  .meta({ id: 'AccountStatus', description: 'Whether the account has verified its email address.' });

/** A code of an authenticator app, or a recovery code. */
export const codeExample = {
  example: '492039',
  description: 'From the authenticator app, or a recovery code.',
};
