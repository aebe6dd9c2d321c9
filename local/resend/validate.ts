import { z } from 'zod';

/** An error as Resend's API words it; `name` is one of the SDK's `RESEND_ERROR_CODE_KEY`. */
export type ResendError = { statusCode: number; name: string; message: string };

const addressHint =
  'The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.';

const address = z.string().max(500).refine(isAddress, { error: addressHint });
const addresses = z.union([address.transform((one) => [one]), z.array(address).min(1).max(50)], {
  error: addressHint,
});
const optionalAddresses = addresses.nullish().transform((list) => list ?? []);
const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? null);

const emailSchema = z.object({
  from: address,
  to: addresses,
  cc: optionalAddresses,
  bcc: optionalAddresses,
  reply_to: optionalAddresses,
  subject: z.string().max(998),
  html: optionalText,
  text: optionalText,
  headers: z.record(z.string(), z.string()).default({}),
  tags: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
});

export type EmailRequest = z.infer<typeof emailSchema>;

/** What Resend offers beyond plain mails; refused here rather than silently left out. */
const unsupported = ['attachments', 'scheduled_at', 'template', 'topic_id'];

/** Reads the body of `POST /emails`, or says what is wrong with it as Resend does. */
export function parseEmail(body: unknown): EmailRequest | ResendError {
  const fields = body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : {};
  for (const field of ['from', 'to', 'subject']) {
    if (fields[field] === undefined || fields[field] === '') {
      return { statusCode: 422, name: 'missing_required_field', message: `Missing \`${field}\` field.` };
    }
  }
  const extra = unsupported.find((field) => fields[field] !== undefined && fields[field] !== null);
  if (extra) return validationError(`The local mailbox does not support \`${extra}\`.`);
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

/** `email@example.com` or `Name <email@example.com>`; line breaks would be new headers. */
function isAddress(text: string): boolean {
  if (/[\p{Cc}]/u.test(text)) return false;
  const [, bracketed] = /^[^<>]*<([^<>]*)>$/.exec(text) ?? [];
  return /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(bracketed ?? text);
}
