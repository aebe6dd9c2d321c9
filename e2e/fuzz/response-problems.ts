import { z } from 'zod';
import { testedProxy } from '@/lab/real/nginx';
import { errorCodesOf, HEADERS, headersOf } from '@/lib/api/openapi-responses';
import { errorBody } from '@/lib/foundation/contract/error-body';
import { ERRORS } from '@/lib/foundation/contract/errors';
import type { Operation } from '@/lib/foundation/contract/operation';
import { inputNames, isUserMessage } from '@/test/fuzz/messages';
import type { WireResponse } from './wire';

/** Headers of HTTP, and of how browsers treat any answer of the site. */
const GENERAL_HEADERS = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding', 'vary'],
  ...['content-security-policy', 'strict-transport-security', 'x-content-type-options', 'referrer-policy'],
  ...['x-frame-options', 'cross-origin-opener-policy', 'permissions-policy'],
  // nginx names itself. The app doesn't.
  ...(testedProxy() ? ['server'] : []),
]);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why a session is over: for the client, and about no input. */
const isSessionState = (name: string, said: string): boolean =>
  name === 'session' && ['ended', 'expired'].includes(said);

/** Returns what is wrong with an error of the API; nothing when it's one of the closed table, for people to read. */
export function errorProblems({ status, text }: WireResponse, names?: ReadonlySet<string>): string[] {
  const error = errorBody.safeParse(parseJson(text));
  if (!error.success) return [`an error in another shape: ${text.slice(0, 200)}`];
  const { code, message, fields = {} } = error.data;
  const inputs = Object.entries(fields).filter(
    ([name, said]) => code !== 'unauthenticated' || !isSessionState(name, said),
  );
  return [
    ...(ERRORS[code][0] === status ? [] : [`${code} with status ${status}`]),
    ...[message, ...inputs.map(([, said]) => said)]
      .filter((said) => !isUserMessage(said))
      .map((said) => `no sentence: ${said}`),
    ...inputs
      .map(([name]) => name)
      .filter((name) => names && !names.has(name))
      .map((name) => `no such input: ${name}`),
    ...(code === 'validation_failed' && !text.includes('"fields"') ? ['no field is named'] : []),
  ];
}

function successProblems(operation: Operation, { status, headers, text }: WireResponse): string[] {
  if (status !== (operation.status ?? 200)) return [`succeeds with status ${status}`];
  if (status === 307) return headers.location ? [] : ['leads nowhere'];
  if (!operation.response) {
    return headers['content-type']?.startsWith(operation.produces ?? '') ? [] : ['not what it produces'];
  }
  const answer = operation.response.safeParse(parseJson(text));
  return answer.success ? [] : [`an answer in another shape: ${z.prettifyError(answer.error)}`];
}

/** Compares an answer's headers and error code with the OpenAPI document. */
function undocumented(operation: Operation, { status, headers, text }: WireResponse): string[] {
  const documented = headersOf(operation, status);
  const names = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
  const { data: error } = status < 400 ? {} : errorBody.safeParse(parseJson(text));
  return [
    ...Object.keys(headers)
      .filter((name) => !GENERAL_HEADERS.has(name) && !names.has(name))
      .map((name) => `a header that isn’t documented: ${name}`),
    ...Object.entries(documented)
      .filter(([name, shared]) => HEADERS[shared]?.required && headers[name.toLowerCase()] === undefined)
      .map(([name]) => `no header ${name}`),
    ...(error && !errorCodesOf(operation).includes(error.code)
      ? [`an error that isn’t documented: ${error.code}`]
      : []),
  ];
}

/** Returns what is wrong with any answer of this site. */
export function responseProblems({ status, headers }: WireResponse): string[] {
  return [
    ...(status >= 500 ? [`status ${status}`] : []),
    ...(/^[0-9a-f-]{36}$/.test(String(headers['x-request-id'])) ? [] : ['no request id']),
  ];
}

/** Whether nginx itself has refused a path that it can't decode, such as one with `%00`. */
const isProxyRefusal = ({ status, text }: WireResponse): boolean =>
  testedProxy() !== null && status === 400 && /<center>nginx/.test(text);

/** Returns what is wrong with an operation's answer. */
export function operationProblems(operation: Operation, answer: WireResponse): string[] {
  if (isProxyRefusal(answer)) return [];
  const isSuccess = answer.status < 400;
  return [
    ...responseProblems(answer),
    ...undocumented(operation, answer),
    ...(isSuccess ? successProblems(operation, answer) : errorProblems(answer, inputNames(operation))),
  ];
}
