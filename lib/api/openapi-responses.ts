import { ERRORS, type ErrorCode } from '@/lib/foundation/contract/errors';
import type { Operation } from '@/lib/foundation/contract/operation';
import { UNKNOWN_ENCODING } from './body';
import { exampleOf, type Json, type Schemas } from './openapi-schemas';

const always = (description: string, schema: Json): Json => ({ description, required: true, schema });
const sometimes = (description: string, schema: Json): Json => ({ description, schema });

/** The headers of responses, by their names in the document. */
export const HEADERS: Record<string, Json> = {
  RequestId: always('The request’s id, which the site’s log has too.', { type: 'string', format: 'uuid' }),
  ServerTiming: sometimes(
    'How long the request took, and its parts, in milliseconds. Only for people who are signed in, while the site collects telemetry.',
    { type: 'string' },
  ),
  NotStored: always('Nothing but this browser may have the response, and it keeps no copy.', {
    type: 'string',
    const: 'private, no-store',
  }),
  StoredRedirect: always('How long this browser may go on using the URL.', {
    type: 'string',
    pattern: '^private, max-age=[0-9]+$',
  }),
  Location: always('A signed URL of the file in storage.', { type: 'string', format: 'uri' }),
  Attachment: always('The name to save the file under (RFC 6266).', {
    type: 'string',
    pattern: '^attachment; ',
  }),
  Link: sometimes('The next page: `<path>; rel="next"` (RFC 8288). Left out on the last page.', {
    type: 'string',
    pattern: '^<[^>]+>; rel="next"$',
  }),
  TotalCount: always('How many items all pages have together.', { type: 'integer', minimum: 0 }),
  RetryAfter: always('The seconds to wait before trying again.', { type: 'integer', minimum: 1 }),
  RetryAfterIfKnown: sometimes('The seconds to wait before trying again, for errors that pass.', {
    type: 'integer',
    minimum: 1,
  }),
  SetCookie: sometimes(
    'Sets or clears cookies. All are `HttpOnly` and `SameSite=Lax`, and on https `Secure`.',
    { type: 'string' },
  ),
};

/** Errors that say when to try again. */
const RETRYABLE: readonly ErrorCode[] = ['rate_limited', 'unavailable'];

const changesState = ({ method, changesState }: Operation): boolean =>
  method !== 'GET' || changesState === true;

/** Returns every error that an operation may answer with: its own, and those of all operations of its kind. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors);
  // Any request may have a body that's too large, whether or not the operation takes one, or be one of too many.
  codes.add('too_large').add('rate_limited').add('internal').add('unavailable');
  // Another account's page is told so (`X-Account-Id`).
  if (operation.access !== 'public') codes.add('unauthenticated').add('conflict');
  if (operation.access === 'verified') codes.add('email_not_verified');
  if (changesState(operation)) codes.add('cross_site_request');
  // A body may be compressed in a way that the operation doesn't take.
  if (operation.body) codes.add('bad_request').add('unsupported_media_type');
  // A path may have an escape that isn't one; an impossible id is answered like an unknown one.
  if (operation.params) codes.add('bad_request').add('not_found');
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

const pascalCase = (code: string) =>
  code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns whether an error is about the encoding of a body, and never about a file that someone wants to upload. */
const isAboutEncoding = (operation: Operation, code: ErrorCode) =>
  code === 'unsupported_media_type' && !operation.errors.includes(code);

const messageOf = (operation: Operation, code: ErrorCode): string =>
  isAboutEncoding(operation, code) ? UNKNOWN_ENCODING : ERRORS[code][1];

/** Returns an error's name among those that operations share. */
const sharedName = (operation: Operation, code: ErrorCode): string =>
  isAboutEncoding(operation, code) ? 'UnknownEncoding' : pascalCase(code);

function errorExample(operation: Operation, code: ErrorCode): Json {
  return {
    message: messageOf(operation, code),
    code,
    ...(code === 'validation_failed' ? { fields: { email: 'Enter a valid email address.' } } : {}),
    ...(code === 'internal' ? { requestId: '0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90' } : {}),
  };
}

const codesWith = (operation: Operation, status: number) =>
  errorCodesOf(operation).filter((code) => ERRORS[code][0] === status);

/** Returns the headers of an operation's response, each with its name in {@link HEADERS}. */
export function headersOf(operation: Operation, status: number): Record<string, string> {
  const codes = codesWith(operation, status);
  const passing = codes.filter((code) => RETRYABLE.includes(code));
  const isSuccess = status < 400;
  return {
    'X-Request-Id': 'RequestId',
    'Cache-Control': status === 307 ? 'StoredRedirect' : 'NotStored',
    'Server-Timing': 'ServerTiming',
    ...(status === 307 ? { Location: 'Location' } : {}),
    ...(isSuccess && operation.attachment ? { 'Content-Disposition': 'Attachment' } : {}),
    ...(isSuccess && operation.paginated ? { Link: 'Link', 'X-Total-Count': 'TotalCount' } : {}),
    ...(operation.cookiesOn?.includes(status) ? { 'Set-Cookie': 'SetCookie' } : {}),
    ...(passing.length > 0
      ? { 'Retry-After': passing.length === codes.length ? 'RetryAfter' : 'RetryAfterIfKnown' }
      : {}),
  };
}

const referencesTo = (headers: Record<string, string>): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, shared]) => [name, { $ref: `#/components/headers/${shared}` }]),
  );

function errorResponse(operation: Operation, status: number): Json {
  const codes = codesWith(operation, status);
  return {
    description: codes.map((code) => `\`${code}\`: ${messageOf(operation, code)}`).join(' '),
    headers: referencesTo(headersOf(operation, status)),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(operation, code) }])),
      },
    },
  };
}

/** Collects the error responses, which many operations share. */
export function createErrorResponses() {
  const shared: Record<string, Json> = {};
  function errorsOf(operation: Operation): Json {
    const statuses = new Set(errorCodesOf(operation).map((code) => ERRORS[code][0]));
    return Object.fromEntries(
      [...statuses].map((status) => {
        const response = errorResponse(operation, status);
        if (operation.cookiesOn?.includes(status)) return [status, response];
        const codes = codesWith(operation, status);
        const name = codes.map((code) => sharedName(operation, code)).join('Or');
        shared[name] ??= response;
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  }
  return { shared, errorsOf };
}

const DESCRIPTIONS: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. A job does the rest.',
};

/** Returns the response of an operation that succeeds. */
export function successOf(operation: Operation & { name: string }, { schemaOf, resolve }: Schemas): Json {
  const { status = 200, response, produces = '', producesExample, name } = operation;
  const headers = referencesTo(headersOf(operation, status));
  if (status === 307) return { description: `A redirect to a file of type ${produces}.`, headers };
  const schema = response ? schemaOf(response, 'output') : { type: 'string' };
  const example = response ? exampleOf(schema, resolve, `${name} response`) : producesExample;
  return {
    description: DESCRIPTIONS[status],
    headers,
    content: { [response ? 'application/json' : produces]: { schema, example } },
  };
}
