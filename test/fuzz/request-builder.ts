import type { Operation } from '@/lib/foundation/contract/operation';
import type { WireRequest } from './request-parser';
import { boundaryValues, type InputPart, inputsOf, type SampleHints, type SchemaPath } from './schema-walker';
import { ESCAPES, JSON_SOURCES, TEXTS } from './values';

export interface FuzzRequest extends WireRequest {
  /** Where the value is, for instance `body.words.[].startTime`. */
  input: string;
  /** The value, shortened. */
  value: string;
  /** False where the schema refuses it, so that it can change nothing. */
  isAccepted?: boolean;
}

/** What good values to send in the places that aren't attacked. */
export interface ValidInput {
  hints: SampleHints;
  /** Good values of the path's parameters. */
  params: Record<string, string>;
  /** The optional properties to send. */
  chosen: ReadonlySet<string>;
}
const PLACEHOLDER = '@@hole@@';
export const describeValue = (value: unknown) => {
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
export function createRequestBuilder(operation: Operation, { hints, params, chosen }: ValidInput) {
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
export const validRequest = (operation: Operation, base: ValidInput): WireRequest =>
  createRequestBuilder(operation, base).good;

export type RequestBuilder = ReturnType<typeof createRequestBuilder>;

function inPath({ good, pathWith, query }: RequestBuilder, { path: [name = ''] }: SchemaPath): FuzzRequest[] {
  // Nothing, and dots alone, are another address.
  const values = [...TEXTS.filter((text) => !/^\.*$/.test(text)).map(encoded), ...ESCAPES];
  return values
    .filter((value) => !/^(%2e)*$/i.test(value) && !/[/?#]/.test(value))
    .map((value) => ({
      ...good,
      path: pathWith({ [name]: value }) + query,
      input: `params.${name}`,
      value: describeValue(value),
    }));
}

function inQuery({ good, pathWith }: RequestBuilder, place: SchemaPath): FuzzRequest[] {
  const [name = ''] = place.path;
  const rest = queryPairs(place.fill(undefined)).filter(([other]) => other !== name);
  const start = queryOf(rest) || '?';
  const withQuery = (tail: string, value: unknown) => ({
    ...good,
    path: `${pathWith({})}${start}${tail && `&${tail}`}`,
    input: `query.${name}`,
    value: describeValue(value),
  });
  const limits = boundaryValues(place.schema).map((value) => asText(value));
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

function inBody({ good }: RequestBuilder, place: SchemaPath): FuzzRequest[] {
  const source = JSON.stringify(place.fill(PLACEHOLDER)) ?? `"${PLACEHOLDER}"`;
  const withSource = (value: string) => source.replace(`"${PLACEHOLDER}"`, () => value);
  const send = (body: string | Buffer, value: unknown): FuzzRequest => ({
    ...good,
    body,
    input: ['body', ...place.path].join('.'),
    value: describeValue(value),
  });
  const [before = '', after = ''] = source.split(`"${PLACEHOLDER}"`);
  const name = place.path.at(-1);
  return [
    ...[...TEXTS, ...boundaryValues(place.schema)].map((value) =>
      send(withSource(JSON.stringify(value)), value),
    ),
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

/** Puts every value into a place of each part. */
const FUZZERS: Record<InputPart, (build: RequestBuilder, place: SchemaPath) => FuzzRequest[]> = {
  params: inPath,
  query: inQuery,
  body: inBody,
};

/** The places of a part that requests can name: a query has no depth, and neither has a path. */
function placesOf(part: InputPart, places: readonly SchemaPath[]): SchemaPath[] {
  if (part === 'body') return [...places];
  return places.filter(
    ({ path }, index) => places.findIndex((other) => other.path[0] === path[0]) === index && path[0],
  );
}

/** Returns the requests with each value in one place, for every place that requests can name in a part. */
export function fuzzEachPlace(
  build: RequestBuilder,
  part: InputPart,
): { place: SchemaPath; requests: FuzzRequest[] }[] {
  return placesOf(part, build.inputs[part]?.places ?? []).map((place) => ({
    place,
    requests: FUZZERS[part](build, place),
  }));
}
