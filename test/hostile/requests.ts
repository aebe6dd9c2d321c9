import type { Operation } from '@/lib/http/operation';
import { operations } from '@/lib/http/operations';
import { atLimits, type Hints, inputsOf, PARTS, type Part, type Place } from './inputs';
import { BODIES, ESCAPES, HEADER_VALUES, JSON_SOURCES, TEXTS } from './values';

/** A request as it goes over the wire. */
export interface WireRequest {
  method: string;
  /** With its query, encoded already. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

export interface HostileRequest extends WireRequest {
  /** Where the value is, for instance `body.words.[].startTime`. */
  input: string;
  /** The value, shortened. */
  value: string;
  /** False where the schema refuses it, so that it can change nothing. */
  isTaken?: boolean;
}

/** What good values to send in the places that aren't attacked. */
export interface Base {
  hints: Hints;
  /** Good values of the path's parameters. */
  params: Record<string, string>;
  /** The optional properties to send. */
  chosen: ReadonlySet<string>;
}

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

const HOLE = '@@hole@@';
const shown = (value: unknown) => {
  const text =
    typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString('hex') : String(value);
  return JSON.stringify(text.slice(0, 80));
};
const json = { 'content-type': 'application/json' };
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

/** The value of a place that holds one text in an address. */
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function queryPairs(query: unknown): [string, string][] {
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined,
  );
  return pairs.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, asText(one)]));
}

const queryOf = (pairs: [string, string][]) =>
  pairs.length > 0 ? `?${pairs.map((pair) => pair.map(encoded).join('=')).join('&')}` : '';

/** Builds an operation's requests with good values everywhere but in one place. */
function builder(operation: Operation, { hints, params, chosen }: Base) {
  const inputs = inputsOf(operation, hints, chosen);
  const pathWith = (encodedParams: Record<string, string>) =>
    `/api/v1${operation.path.replace(/:(\w+)/g, (_, name: string) => encodedParams[name] ?? encoded(params[name] ?? 'x'))}`;
  const query = queryOf(queryPairs(inputs.query?.sample));
  const body = inputs.body ? { body: JSON.stringify(inputs.body.sample) } : {};
  const good: WireRequest = {
    method: operation.method,
    path: pathWith({}) + query,
    headers: inputs.body ? json : {},
    ...body,
  };
  return { inputs, pathWith, query, good };
}

/** The request with good values only. */
export const goodRequest = (operation: Operation, base: Base): WireRequest => builder(operation, base).good;

type Builder = ReturnType<typeof builder>;

function inPath({ good, pathWith, query }: Builder, { path: [name = ''] }: Place): HostileRequest[] {
  // Nothing, and dots alone, are another address.
  const values = [...TEXTS.filter((text) => !/^\.*$/.test(text)).map(encoded), ...ESCAPES];
  return values
    .filter((value) => !/^(%2e)*$/i.test(value) && !/[/?#]/.test(value))
    .map((value) => ({
      ...good,
      path: pathWith({ [name]: value }) + query,
      input: `params.${name}`,
      value: shown(value),
    }));
}

function inQuery({ good, pathWith }: Builder, place: Place): HostileRequest[] {
  const [name = ''] = place.path;
  const rest = queryPairs(place.fill(undefined)).filter(([other]) => other !== name);
  const start = queryOf(rest) || '?';
  const withQuery = (tail: string, value: unknown) => ({
    ...good,
    path: `${pathWith({})}${start}${tail && `&${tail}`}`,
    input: `query.${name}`,
    value: shown(value),
  });
  const limits = atLimits(place.schema).map((value) => asText(value));
  const texts = [...TEXTS, ...limits].map((text) => withQuery(`${name}=${encoded(text)}`, text));
  const escapes = ESCAPES.filter((value) => !value.includes('#')).map((value) =>
    withQuery(`${name}=${value}`, value),
  );
  const shapes = [
    ...['', name, `${name}=a&${name}=b`, `${name}=&${name}=`, `${name}=%00&${name}=%ff`, `${name}[]=a`],
    ...[
      `${name}[a]=b`,
      `${name}=a&__proto__=b&constructor=c`,
      `%ff=%ff`,
      Array(500).fill(`${name}=a`).join('&'),
    ],
  ].map((tail) => withQuery(tail, tail));
  return [...texts, ...escapes, ...shapes];
}

function inBody({ good }: Builder, place: Place): HostileRequest[] {
  const source = JSON.stringify(place.fill(HOLE)) ?? `"${HOLE}"`;
  const withSource = (value: string) => source.replace(`"${HOLE}"`, () => value);
  const send = (body: string | Buffer, value: unknown): HostileRequest => ({
    ...good,
    body,
    input: ['body', ...place.path].join('.'),
    value: shown(value),
  });
  const [before = '', after = ''] = source.split(`"${HOLE}"`);
  const name = place.path.at(-1);
  return [
    ...[...TEXTS, ...atLimits(place.schema)].map((value) => send(withSource(JSON.stringify(value)), value)),
    ...JSON_SOURCES.map((value) => send(withSource(value), value)),
    send(JSON.stringify(place.fill(undefined)) ?? '', 'left out'),
    // Bytes that aren't UTF-8, in the text itself.
    send(
      Buffer.concat([Buffer.from(`${before}"`), Buffer.from([0xff, 0x80, 0xc0]), Buffer.from(`"${after}`)]),
      'ff80c0',
    ),
    ...(name && /^\w+$/.test(name) ? [send(withSource(`null,"${name}":"\\u0000"`), 'twice')] : []),
  ];
}

/** Returns a part of a request as `endpoint` reads it. @throws Error when it can't be read */
export function readPart(operation: Operation, part: Part, { path, body }: WireRequest): unknown {
  if (part === 'body') {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body ?? '')));
  }
  if (part === 'query') {
    const { searchParams } = new URL(path, 'http://daylight.invalid');
    const values = [...new Set(searchParams.keys())].map(
      (name) => [name, searchParams.getAll(name)] as const,
    );
    return Object.fromEntries(values.map(([name, all]) => [name, all.length > 1 ? all : all[0]]));
  }
  const given = path.split('?')[0]?.split('/').slice(3) ?? [];
  const names = operation.path.split('/').slice(1);
  const params = names.flatMap((name, index) =>
    name.startsWith(':') ? [[name.slice(1), decodeURIComponent(given[index] ?? '')]] : [],
  );
  return Object.fromEntries(params);
}

/** Returns whether the schema takes a request, so that it reaches what the operation does. */
function isTaken(operation: Operation, part: Part, request: WireRequest): boolean {
  try {
    return operation[part]?.safeParse(readPart(operation, part, request)).success ?? false;
  } catch {
    return false;
  }
}

const OF_PART: Record<Part, (build: Builder, place: Place) => HostileRequest[]> = {
  params: inPath,
  query: inQuery,
  body: inBody,
};

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

/** Every hostile request of an operation in a part of its inputs, worth sending or not. */
export function requestsIn(operation: Operation, part: Part, base: Base): HostileRequest[] {
  const build = builder(operation, base);
  return placesOf(part, build.inputs[part]?.places ?? []).flatMap((place) => OF_PART[part](build, place));
}

/** The places of a part that requests can name: a query has no depth, and neither has a path. */
function placesOf(part: Part, places: readonly Place[]): Place[] {
  if (part === 'body') return [...places];
  return places.filter(
    ({ path }, index) => places.findIndex((other) => other.path[0] === path[0]) === index && path[0],
  );
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
      placesOf(part, build.inputs[part]?.places ?? []).flatMap((place) =>
        worthSending(operation, part, place, OF_PART[part](build, place), turn),
      ),
    ),
    ...(build.inputs.body ? wholeBodies(build) : []),
    ...unknownNames(build),
    ...inHeaders(build, cookies, turn),
  ];
}
