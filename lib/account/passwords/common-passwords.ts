import { AppError } from '@/lib/foundation/contract/errors';

let loading: Promise<ReadonlySet<string>> | undefined;

/** Tens of thousands of passwords from leaks (zxcvbn's list); read when first needed. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map(String)),
  );
  return loading;
}

/** What this site is called and about, alone or in a row, with digits and signs around it: an attacker's next guesses. */
const ABOUT_THE_SITE = /^[\W\d_]*(?:(?:daylight|video|journal|diary|my|password|login)[\W\d_]*)+$/;

/**
 * Refuses a password that an attacker would try first: one of the list in any capitals, words about this site, or
 * the email address itself
 * (NIST SP 800-63B-4, 3.1.1.2; no rules of composition beside it).
 * @param field the name of the input that the sentence belongs to
 * @throws AppError `validation_failed`
 */
export async function assertUncommonPassword(
  password: string,
  email: string,
  field: 'password' | 'newPassword',
): Promise<void> {
  const lower = password.toLowerCase();
  const isObvious = lower === email || ABOUT_THE_SITE.test(lower);
  if (!isObvious && !(await commonPasswords()).has(lower)) return;
  const message = 'This password is easy to guess. Choose another one, such as a few random words.';
  throw new AppError('validation_failed', { message, fields: { [field]: message } });
}
