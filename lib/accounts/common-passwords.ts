import { AppError } from '@/lib/http/errors';

let loading: Promise<ReadonlySet<string>> | undefined;

/** Tens of thousands of passwords from leaks (zxcvbn's list); read when first needed. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map(String)),
  );
  return loading;
}

/**
 * Refuses a password that an attacker would try first: one of the list in any capitals, or the mail address itself
 * (NIST SP 800-63B-4, 3.1.1.2; no rules of composition beside it).
 * @param field the name of the input that the sentence belongs to
 * @throws AppError `validation_failed`
 */
export async function assertUncommon(
  password: string,
  email: string,
  field: 'password' | 'newPassword',
): Promise<void> {
  const lower = password.toLowerCase();
  if (lower !== email && !(await commonPasswords()).has(lower)) return;
  const message = 'This password is easy to guess. Please choose another, for instance a few words in a row.';
  throw new AppError('validation_failed', { message, fields: { [field]: message } });
}
