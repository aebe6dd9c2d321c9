import { AppError } from '@/lib/http/errors';

/** Escapes what a header can't carry: next-auth puts some of its parameters into `Location` as they are. */
const inAscii = (text: string) =>
  text.toWellFormed().replace(/[^\x20-\x7e]+/g, (characters) => encodeURIComponent(characters));

/** Returns an address with its parameters in ASCII. */
export function readableUrl(address: string): URL {
  const url = new URL(address);
  for (const [name, value] of [...url.searchParams]) {
    if (inAscii(value) !== value) url.searchParams.set(name, inAscii(value));
  }
  return url;
}

/**
 * Returns the parameters of a body as a form has them, which is one of the two kinds that next-auth reads.
 * @throws AppError `bad_request` for what isn't an object in JSON, on which next-auth would fail
 */
export function readForm(body: Buffer, type: string): URLSearchParams {
  const text = body.toString();
  if (!type.includes('application/json')) {
    const isForm = type.includes('application/x-www-form-urlencoded');
    return new URLSearchParams(
      [...new URLSearchParams(isForm ? text : '')].map(([name, value]) => [name, inAscii(value)]),
    );
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
  return new URLSearchParams(pairs.map(([name, value]) => [name, inAscii(String(value))]));
}
