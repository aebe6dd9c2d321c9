import { passkeyOptions } from '@/lib/account/passkeys/contract';
import { stepUpFields } from '@/lib/account/security/contract';
import { operations } from '@/lib/api/operations';
import type { Operation } from '@/lib/foundation/contract/operation';
import {
  createRequestBuilder,
  describeValue,
  type FuzzRequest,
  fuzzEachPlace,
  type RequestBuilder,
  type ValidInput,
} from './request-builder';
import { isAccepted } from './request-parser';
import { INPUT_PARTS, type InputPart, inputsOf, type SchemaPath } from './schema-walker';
import { BODIES, GZIPS, HEADER_VALUES } from './values';

/** Headers that the app, Next or a proxy in front of them reads. Cookies and the client's address come on top. */
const HEADERS = [
  ...[
    'user-agent',
    'accept',
    'accept-language',
    'content-type',
    'referer',
    'origin',
    'sec-fetch-site',
    'range',
  ],
  ...[
    'x-request-id',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'if-none-match',
    'if-match',
  ],
  ...[
    'if-modified-since',
    'rsc',
    'next-router-state-tree',
    'next-router-prefetch',
    'next-url',
    'next-action',
  ],
  ...[
    'x-middleware-subrequest',
    'x-nextjs-data',
    'x-prerender-revalidate',
    'x-matched-path',
    'x-path',
    'x-nonce',
    'x-page-key',
  ],
  ...['stripe-signature', 'x-inngest-signature', 'authorization', 'traceparent', 'accept-encoding'],
  'content-encoding',
];
const placeKey = (part: InputPart, { path, schema }: SchemaPath) =>
  `${part} ${path.join('.')} ${JSON.stringify(schema)}`;

/** The first operation with each place. */
const firstOperationByPath = new Map<string, Operation>();
for (const operation of operations.toReversed()) {
  const inputs = inputsOf(operation);
  for (const part of INPUT_PARTS) {
    for (const place of inputs[part]?.places ?? [])
      firstOperationByPath.set(placeKey(part, place), operation);
  }
}

const STEP_UP = Object.keys(stepUpFields);

/** Whether one function, the same for all of them, checks that the owner is asking. */
function takesStepUp(operation: Operation): boolean {
  const names = new Set(inputsOf(operation).body?.places.map(({ path }) => path[0]));
  return STEP_UP.every((name) => names.has(name));
}

/** Returns whether another operation is sent the same values, which go to the same code. */
function isSentElsewhere(operation: Operation, part: InputPart, place: SchemaPath): boolean {
  const isStepUp = part === 'body' && STEP_UP.includes(place.path[0] ?? '') && takesStepUp(operation);
  // Of those, the one that changes nothing takes them all.
  if (isStepUp) return operation !== passkeyOptions;
  return place.path.length > 1 && firstOperationByPath.get(placeKey(part, place)) !== operation;
}

/** Of what doesn't get further than elsewhere, every so many requests are sent all the same. */
const SAMPLE_RATE = 12;

/**
 * Leaves out most of what can't tell anything new: values that the schema refuses, since all of them are parsed
 * without a server too, and values that another operation takes inside an object in the same place, or as the same proof
 * that the owner is asking.
 */
function selectRequests(
  operation: Operation,
  part: InputPart,
  place: SchemaPath,
  requests: FuzzRequest[],
  turn: number,
): FuzzRequest[] {
  const isKnown = isSentElsewhere(operation, part, place);
  return requests
    .map((request) => ({ ...request, isAccepted: isAccepted(operation, part, request) }))
    .filter(
      (request, index) => (request.isAccepted && !isKnown) || index % SAMPLE_RATE === turn % SAMPLE_RATE,
    );
}

function wholeBodies({ good }: RequestBuilder): FuzzRequest[] {
  const types = [
    'text/plain',
    'application/json; charset=utf-16',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
  ];
  return [
    ...BODIES.map((body) => ({ ...good, body, input: 'body', value: describeValue(body) })),
    ...GZIPS.map((body) => ({
      ...good,
      headers: { ...good.headers, 'content-encoding': 'gzip' },
      body,
      input: 'body as gzip',
      value: describeValue(body),
    })),
    ...types.map((type) => ({
      ...good,
      headers: { ...good.headers, 'content-type': type },
      input: 'header content-type',
      value: describeValue(type),
    })),
  ];
}

/** Names that no schema has, in an address with no query of its own too. */
function unknownNames({ good }: RequestBuilder): FuzzRequest[] {
  const mark = good.path.includes('?') ? '&' : '?';
  return ['__proto__=1', '%ff=%ff&%=%', '=&&=&', 'a[__proto__][b]=c', 'x'.repeat(6000), '%00=%00'].map(
    (query) => ({
      ...good,
      path: `${good.path}${mark}${query}`,
      input: 'query',
      value: describeValue(query),
    }),
  );
}

/** Each operation has its turn with every so many headers and cookies. */
const HEADER_SAMPLE_RATE = 3;

/** One value for each header and cookie, another for each operation, so that together they take them all. */
function inHeaders({ good }: RequestBuilder, cookies: readonly string[], turn: number): FuzzRequest[] {
  const valueFor = (index: number) => HEADER_VALUES[(turn + index) % HEADER_VALUES.length] ?? '';
  return [
    ...HEADERS.map((name, index) => ({ name, value: valueFor(index), input: `header ${name}` })),
    ...cookies.map((cookie, index) => ({
      name: 'cookie',
      value: `${cookie}=${valueFor(index + HEADERS.length)}`,
      input: `cookie ${cookie}`,
    })),
  ]
    .filter((_, index) => index % HEADER_SAMPLE_RATE === turn % HEADER_SAMPLE_RATE)
    .map(({ name, value, input }) => ({
      ...good,
      headers: { ...good.headers, [name]: value },
      input,
      value: describeValue(value),
    }));
}

/**
 * The hostile requests of an operation that are worth sending, in the same order each time: values in each of its
 * inputs, wrong shapes of all of its body, and values in headers and cookies that something reads.
 * @param turn a number of the operation's own
 */
export function fuzzRequests(
  operation: Operation,
  base: ValidInput,
  cookies: readonly string[],
  turn: number,
): FuzzRequest[] {
  const build = createRequestBuilder(operation, base);
  return [
    ...INPUT_PARTS.flatMap((part) =>
      fuzzEachPlace(build, part).flatMap(({ place, requests }) =>
        selectRequests(operation, part, place, requests, turn),
      ),
    ),
    ...(build.inputs.body ? wholeBodies(build) : []),
    ...unknownNames(build),
    ...inHeaders(build, cookies, turn),
  ];
}
