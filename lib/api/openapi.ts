import { z } from 'zod';
import { ERRORS, type ErrorCode } from '@/lib/contract/errors';
import type { Operation } from '@/lib/contract/operation';
import { env } from '@/lib/env';
import { cookieNames } from '@/lib/http/cookies';
import { operations } from './operations';

type Json = Record<string, unknown>;

/** JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. */
function schemaOf(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Json;
  return schema;
}

function parametersOf(type: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!type) return [];
  const schema = schemaOf(type, 'input') as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (schema.required ?? []).includes(name),
    schema: property,
  }));
}

/** The errors every operation of its kind can answer with, beside its own. */
function errorsOf(operation: Operation): ErrorCode[] {
  const codes: ErrorCode[] = [...operation.errors, 'internal', 'unavailable'];
  if (operation.access !== 'public') codes.push('unauthenticated');
  if (operation.access === 'verified') codes.push('email_not_verified');
  if (operation.method !== 'GET' || operation.changesState) codes.push('cross_site_request');
  if (operation.body) codes.push('bad_request', 'too_large');
  return [...new Set(codes)];
}

function errorResponses(operation: Operation): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const status = ERRORS[code][0];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].sort().map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join(' '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

function successOf(operation: Operation): Json {
  if (operation.status === 307) {
    return {
      description: `A redirect to a signed URL that returns ${operation.produces}.`,
      headers: { location: { schema: { type: 'string' } } },
    };
  }
  const content = operation.response
    ? { 'application/json': { schema: schemaOf(operation.response, 'output') } }
    : { [operation.produces ?? 'application/octet-stream']: {} };
  return { description: 'Success.', content };
}

function describeOperation(operation: Operation): Json {
  return {
    summary: operation.summary,
    ...(operation.access === 'public' ? { security: [] } : {}),
    parameters: [...parametersOf(operation.params, 'path'), ...parametersOf(operation.query, 'query')],
    ...(operation.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(operation.body, 'input') } },
          },
        }
      : {}),
    responses: { [operation.status ?? 200]: successOf(operation), ...errorResponses(operation) },
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
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Daylight', version: '1', description: 'A private video journal.' },
    servers: [{ url: `${env().APP_URL}/api/v1` }],
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookieNames().access },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['message', 'code'],
          properties: {
            message: { type: 'string' },
            code: { enum: Object.keys(ERRORS) },
            fields: { type: 'object', additionalProperties: { type: 'string' } },
            requestId: { type: 'string' },
          },
        },
      },
    },
  };
}
