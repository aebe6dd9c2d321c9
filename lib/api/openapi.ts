import type { z } from 'zod';
import { ACCOUNT_CONNECTIONS } from '@/db/connection-slots';
import { REQUEST_WAIT_MS } from '@/lib/foundation/admission';
import { errorBody } from '@/lib/foundation/contract/error-body';
import type { Credential } from '@/lib/foundation/contract/operation';
import { env } from '@/lib/foundation/env';
import { cookieNames, hostCookieName } from '@/lib/foundation/http/cookies';
import { ACCOUNT_CONCURRENCY } from '@/lib/limits/load-shedding';
import { takesCompressed } from './body';
import { createErrorResponses, HEADERS, successOf } from './openapi-responses';
import { createSchemas, exampleOf, type Json, type Schemas } from './openapi-schemas';
import { groups, type NamedOperation, operations } from './operations';
import { WRITES } from './write-limit';

const ABOUT = `The API of Daylight, a private video journal.

Clients authenticate with cookies, which logging in sets. The access cookie lasts 15 minutes; \`POST /token/refresh\` renews it.
A request that changes something is accepted from this site’s own pages and from programs, not from other sites. A \`GET\` that changes something needs an \`Origin\` or \`Referer\` of this site.
What belongs to someone else is answered like something that doesn’t exist.

Requests wait up to ${REQUEST_WAIT_MS / 1000} seconds for their turn, and are then answered 429 \`rate_limited\` or 503 \`unavailable\`. Both have \`Retry-After\`: wait that many seconds, then send the request again.
- At most ${ACCOUNT_CONCURRENCY} requests of an account are worked on at once, and at most ${ACCOUNT_CONNECTIONS} of them use the database. Requests of one network, and those without a session even more so, get only a part of the server. Beyond that: 429.
- An account’s transcripts are saved, restored, and imported one at a time. Beyond that: 429.
- An account may make ${WRITES.burst} changes in a row, and ${WRITES.perSecond} a second from then on. Beyond that: 429.
- When the server is busy with everybody’s requests: 503.`;

function parametersOf(
  { name, params, query }: NamedOperation,
  place: 'path' | 'query',
  { schemaOf, resolve }: Schemas,
): Json[] {
  const type = place === 'path' ? params : query;
  if (!type) return [];
  const { properties = {}, required = [] } = schemaOf(type, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([key, { description, examples, ...schema }]) => ({
    name: key,
    in: place,
    required: place === 'path' || required.includes(key),
    ...(description === undefined ? {} : { description }),
    schema,
    example: exampleOf({ ...schema, ...(examples ? { examples } : {}) }, resolve, `${name}.${key}`),
  }));
}

function bodyOf(type: z.ZodType, { name, bodyLimit }: NamedOperation, { schemaOf, resolve }: Schemas): Json {
  const schema = schemaOf(type, 'input');
  const example = exampleOf(schema, resolve, name);
  const description = `At most ${bodyLimit?.toLocaleString('en')} bytes. May be sent with \`Content-Encoding: gzip\`; the limit holds before and after.`;
  return {
    ...(takesCompressed(bodyLimit) ? { description } : {}),
    required: true,
    content: { 'application/json': { schema, example } },
  };
}

/** Anybody may call a public operation that needs no cookie. */
const securityOf = ({ access, credentials = [] }: NamedOperation): Json[] =>
  (access === 'public' ? credentials : ['session']).map((credential) => ({ [credential]: [] }));

/** What someone needs to call the API, each in a cookie. */
function securitySchemes(): Record<Credential, Json> {
  const names = cookieNames();
  const cookie = (name: string, description: string) => ({ type: 'apiKey', in: 'cookie', name, description });
  return {
    session: cookie(names.access, 'The access cookie of a session. Lasts 15 minutes.'),
    refresh: cookie(names.refresh, 'The refresh cookie of a session, which works once. Lasts 30 days.'),
    registration: cookie(names.registered, 'Remembers who signed up in this browser. Lasts 72 hours.'),
    pendingSignIn: cookie(
      hostCookieName('daylight.pending'),
      'A sign-in with a provider that waits for a code. Lasts 10 minutes.',
    ),
  };
}

let document: Json | undefined;

/** The OpenAPI 3.1 document of the API; made once, as anybody may ask for it and making it takes milliseconds. */
export function openApiDocument(): Json {
  document ??= describeOperations();
  return document;
}

/** Made from the schemas that validate the API's requests. */
function describeOperations(): Json {
  const schemas = createSchemas();
  const errors = createErrorResponses();
  schemas.schemaOf(errorBody, 'output');
  const successes = operations.map((operation) => successOf(operation, schemas));
  const paths: Record<string, Json> = {};
  for (const [index, operation] of operations.entries()) {
    const { name, tag, method, summary, description, access, body, status = 200 } = operation;
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    const described = {
      operationId: name,
      tags: [tag],
      summary,
      description,
      security: securityOf(operation),
      parameters: [
        ...parametersOf(operation, 'path', schemas),
        ...parametersOf(operation, 'query', schemas),
        ...(access === 'public' ? [] : [{ $ref: '#/components/parameters/AccountId' }]),
      ],
      ...(body ? { requestBody: bodyOf(body, operation, schemas) } : {}),
      responses: { [status]: successes[index], ...errors.errorsOf(operation) },
    };
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  }
  const site = env().APP_URL;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Daylight',
      version: '1',
      description: ABOUT,
      contact: { name: 'Daylight', url: site },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${site}/api/v1`, description: 'This site.' }],
    tags: groups.map(({ tag, about }) => ({ name: tag, description: about })),
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: securitySchemes(),
      parameters: {
        AccountId: {
          name: 'X-Account-Id',
          in: 'header',
          description:
            'The account that the request is meant for. If someone else is logged in by now, answers 409. Optional.',
          schema: { type: 'string' },
          example: '0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90',
        },
      },
      headers: HEADERS,
      schemas: schemas.shared,
      responses: errors.shared,
    },
  };
}
