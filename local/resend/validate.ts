import { z } from 'zod';

/** An error in the format of Resend's API. `name` is one of the SDK's `RESEND_ERROR_CODE_KEY`. */
export type ResendError = { statusCode: number; name: string; message: string };

const addressHint =
  'The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.';

const address = z.string().max(500).refine(isAddress, { error: addressHint });
const addresses = z.union([address.transform((one) => [one]), z.array(address).min(1)], {
  error: addressHint,
});
const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? null);

const tagText = z.string().regex(/^[A-Za-z0-9_-]{1,256}$/, {
  error: 'Tags should only contain ASCII letters, numbers, underscores, or dashes.',
});

/** RFC 5322, 2.2: printable ASCII but for the colon. */
const headerName = z.string().regex(/^[!-9;-~]+$/, { error: 'A header has an invalid name.' });
/** Without line breaks, which would start new headers. */
const headerText = z.string().regex(/^\P{Cc}*$/u, { error: 'A header has control characters.' });

const emailSchema = z.object({
  from: address,
  to: addresses,
  subject: z.string().max(998),
  html: optionalText,
  text: optionalText,
  headers: z.record(headerName, headerText).optional(),
  tags: z.array(z.object({ name: tagText, value: tagText })).optional(),
});

export type EmailRequest = z.infer<typeof emailSchema>;

/** Reads the body of `POST /emails`, or returns Resend's error for it. */
export function parseEmail(body: unknown): EmailRequest | ResendError {
  const fields = body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : {};
  for (const field of ['from', 'to', 'subject']) {
    if (fields[field] === undefined || fields[field] === '') {
      return { statusCode: 422, name: 'missing_required_field', message: `Missing \`${field}\` field.` };
    }
  }
  const extra = Object.keys(fields).find((name) => !(name in emailSchema.shape) && fields[name] !== null);
  if (extra) return validationError(`The local mailbox doesn't support \`${extra}\`.`);
  const parsed = emailSchema.safeParse(fields);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return validationError(
      `Invalid \`${String(issue?.path[0] ?? 'body')}\` field. ${issue?.message ?? ''}`.trim(),
    );
  }
  if (parsed.data.html === null && parsed.data.text === null) {
    return { statusCode: 422, name: 'missing_required_field', message: 'Missing `html` or `text` field.' };
  }
  return parsed.data;
}

export function validationError(message: string): ResendError {
  return { statusCode: 422, name: 'validation_error', message };
}

/** Accepts `email@example.com` or `Name <email@example.com>`, without line breaks, which would start new headers. */
function isAddress(text: string): boolean {
  if (/[\p{Cc}]/u.test(text)) return false;
  const [, bracketed] = /^[^<>]*<([^<>]*)>$/.exec(text) ?? [];
  return /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(bracketed ?? text);
}
