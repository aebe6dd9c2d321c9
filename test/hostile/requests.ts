import { operations } from '@/lib/api/operations';
import type { Operation } from '@/lib/contract/operation';
import { type Base, type Builder, builder, filled, type HostileRequest, shown } from './fill';
import { inputsOf, PARTS, type Part, type Place } from './inputs';
import { isTaken } from './reading';
import { BODIES, HEADER_VALUES } from './values';

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
  ],
  ...['stripe-signature', 'x-inngest-signature', 'authorization', 'traceparent', 'accept-encoding'],
];
const keyOf = (part: Part, { path, schema }: Place) => `${part} ${path.join('.')} ${JSON.stringify(schema)}`;

/** The first operation with each place. */
const firstWith = new Map<string, Operation>();
for (const operation of operations.toReversed()) {
  const inputs = inputsOf(operation);
  for (const part of PARTS) {
    for (const place of inputs[part]?.places ?? []) firstWith.set(keyOf(part, place), operation);
  }
}

/** Of what doesn't get further than elsewhere, every so many requests are sent all the same. */
const SHARE = 12;

/**
 * Leaves out most of what can't tell anything new: values that the schema refuses, since all of them are parsed
 * without a server too, and values inside an object that an earlier operation takes in the same place.
 */
function worthSending(
  operation: Operation,
  part: Part,
  place: Place,
  requests: HostileRequest[],
  turn: number,
): HostileRequest[] {
  const isKnown = place.path.length > 1 && firstWith.get(keyOf(part, place)) !== operation;
  return requests
    .map((request) => ({ ...request, isTaken: isTaken(operation, part, request) }))
    .filter((request, index) => (request.isTaken && !isKnown) || index % SHARE === turn % SHARE);
}

function wholeBodies({ good }: Builder): HostileRequest[] {
  const types = [
    'text/plain',
    'application/json; charset=utf-16',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
  ];
  return [
    ...BODIES.map((body) => ({ ...good, body, input: 'body', value: shown(body) })),
    ...types.map((type) => ({
      ...good,
      headers: { ...good.headers, 'content-type': type },
      input: 'header content-type',
      value: shown(type),
    })),
  ];
}

/** Names that no schema has, in an address with no query of its own too. */
function unknownNames({ good }: Builder): HostileRequest[] {
  const mark = good.path.includes('?') ? '&' : '?';
  return ['__proto__=1', '%ff=%ff&%=%', '=&&=&', 'a[__proto__][b]=c', 'x'.repeat(6000), '%00=%00'].map(
    (query) => ({ ...good, path: `${good.path}${mark}${query}`, input: 'query', value: shown(query) }),
  );
}

/** Each operation has its turn with every so many headers and cookies. */
const HEADER_SHARE = 3;

/** One value for each header and cookie, another for each operation, so that together they take them all. */
function inHeaders({ good }: Builder, cookies: readonly string[], turn: number): HostileRequest[] {
  const valueFor = (index: number) => HEADER_VALUES[(turn + index) % HEADER_VALUES.length] ?? '';
  return [
    ...HEADERS.map((name, index) => ({ name, value: valueFor(index), input: `header ${name}` })),
    ...cookies.map((cookie, index) => ({
      name: 'cookie',
      value: `${cookie}=${valueFor(index + HEADERS.length)}`,
      input: `cookie ${cookie}`,
    })),
  ]
    .filter((_, index) => index % HEADER_SHARE === turn % HEADER_SHARE)
    .map(({ name, value, input }) => ({
      ...good,
      headers: { ...good.headers, [name]: value },
      input,
      value: shown(value),
    }));
}

/**
 * The hostile requests of an operation that are worth sending, in the same order each time: values in each of its
 * inputs, wrong shapes of all of its body, and values in headers and cookies that something reads.
 * @param turn a number of the operation's own
 */
export function hostileRequests(
  operation: Operation,
  base: Base,
  cookies: readonly string[],
  turn: number,
): HostileRequest[] {
  const build = builder(operation, base);
  return [
    ...PARTS.flatMap((part) =>
      filled(build, part).flatMap(({ place, requests }) =>
        worthSending(operation, part, place, requests, turn),
      ),
    ),
    ...(build.inputs.body ? wholeBodies(build) : []),
    ...unknownNames(build),
    ...inHeaders(build, cookies, turn),
  ];
}
