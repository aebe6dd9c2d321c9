import { AppError } from '@/lib/foundation/contract/errors';

/** Escapes what a header can't carry: next-auth puts some of what it's given into `Location` as it is. */
export const toAscii = (text: string) =>
  text.toWellFormed().replace(/[^\x20-\x7e]+/g, (characters) => encodeURIComponent(characters));

const CALLBACK_PARAM = 'callbackUrl';

/** Returns whether next-auth takes this as the page to go on to. Anything else would be a 500. */
export function isValidCallbackUrl(address: string): boolean {
  const base = address.startsWith('/') ? 'http://daylight.invalid' : undefined;
  return URL.canParse(address, base) && /^https?:$/.test(new URL(address, base).protocol);
}

/** Returns parameters in ASCII, without a destination that isn't one. */
function sanitizeParams(parameters: Iterable<[string, string]>): URLSearchParams {
  const pairs = [...parameters].filter(
    ([name, value]) => name !== CALLBACK_PARAM || isValidCallbackUrl(value),
  );
  return new URLSearchParams(pairs.map(([name, value]) => [name, toAscii(value)]));
}

/** Returns an address with parameters that next-auth can read. */
export function sanitizeUrl(address: string): URL {
  const url = new URL(address);
  url.search = String(sanitizeParams(url.searchParams));
  return url;
}

/**
 * Returns the parameters of a body as a form has them, which is one of the two kinds that next-auth reads.
 * @throws AppError `bad_request` for what isn't an object in JSON, on which next-auth would fail
 */
export function parseForm(body: Buffer, type: string): URLSearchParams {
  const text = body.toString();
  if (!type.includes('application/json')) {
    const isForm = type.includes('application/x-www-form-urlencoded');
    return sanitizeParams(new URLSearchParams(isForm ? text : ''));
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new AppError('bad_request');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new AppError('bad_request');
  const pairs = Object.entries(parsed).filter(([, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  );
  return sanitizeParams(pairs.map(([name, value]) => [name, String(value)]));
}
