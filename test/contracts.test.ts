import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '@/lib/api/openapi';
import { operations } from '@/lib/api/operations';
import { ERRORS } from '@/lib/contract/errors';

const API = join(import.meta.dirname, '..', 'app', 'api', 'v1');

/** `METHOD /path` of every handler below app/api/v1, as Next takes them from the names of folders and exports. */
function routes(): string[] {
  return readdirSync(API, { recursive: true, withFileTypes: true })
    .filter((file) => file.name === 'route.ts')
    .flatMap((file) => {
      const path = relative(API, file.parentPath).replace(/\[(\w+)\]/g, ':$1');
      const source = readFileSync(join(file.parentPath, file.name), 'utf8');
      const exported = source.matchAll(/export (?:const|(?:async )?function) ([A-Z]+)\b/g);
      return [...exported].map(([, method]) => `${method} /${path}`);
    });
}

const schema = z.record(z.string(), z.unknown());
const content = z.record(z.string(), z.strictObject({ schema: schema.optional() }));
const parameter = z.strictObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query']),
  required: z.boolean(),
  schema,
});
const operationObject = z.strictObject({
  summary: z.string().min(10),
  description: z.string().optional(),
  operationId: z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(parameter),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(
    z.string().regex(/^[1-5]\d\d$/),
    z.strictObject({
      description: z.string().min(1),
      headers: z.record(z.string(), z.strictObject({ schema })).optional(),
      content: content.optional(),
    }),
  ),
});
/** The parts of an OpenAPI 3.1 document that ours has; whatever else appears is a slip. */
const document = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.strictObject({ url: z.url() })).min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'post', 'delete', 'put', 'patch']), operationObject),
  ),
  components: z.strictObject({
    securitySchemes: z.record(
      z.string(),
      z.strictObject({ type: z.literal('apiKey'), in: z.literal('cookie'), name: z.string() }),
    ),
    schemas: z.record(z.string(), schema),
  }),
});

/** Every `$ref` below a value. */
function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' ? [inner] : references(inner),
  );
}

describe('the contracts', () => {
  it('are exactly the routes below app/api/v1', () => {
    const declared = operations.map(({ method, path }) => `${method} ${path}`);
    expect(declared.sort()).toEqual(routes().sort());
  });

  it('declare each operation once', () => {
    const declared = operations.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
    expect(new Set(declared).size).toBe(declared.length);
  });

  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'name every parameter of %s',
    (_, { path, params }) => {
      const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      const shape = params ? Object.keys((params as z.ZodObject).shape) : [];
      expect(shape.sort()).toEqual(inPath.sort());
    },
  );

  it('let no operation answer nothing in particular', () => {
    const vague = operations.filter(({ response, produces }) => !response && !produces);
    expect(vague.map(({ path }) => path)).toEqual([]);
  });

  it('hold every state change to the origin check', () => {
    const changing = ['/presigned_url', '/entry/:id/upload/complete', '/logout'];
    for (const path of changing) {
      expect(
        operations.find((operation) => operation.path === path),
        path,
      ).toMatchObject({ changesState: true });
    }
  });
});

describe('the OpenAPI document', () => {
  let made: z.infer<typeof document>;
  beforeAll(() => {
    Object.assign(process.env, {
      APP_URL: 'http://localhost:3000',
      AUTH_SECRET: 'a secret of more than 32 characters',
      DATABASE_URL: 'postgres://localhost/none',
      S3_REGION: 'x',
      S3_BUCKET: 'x',
      S3_ACCESS_KEY_ID: 'x',
      S3_SECRET_ACCESS_KEY: 'x',
      INNGEST_EVENT_KEY: 'x',
      INNGEST_SIGNING_KEY: 'x',
      RESEND_API_KEY: 'x',
      MAIL_FROM: 'a@b.c',
      STRIPE_SECRET_KEY: 'x',
      STRIPE_WEBHOOK_SECRET: 'x',
      SPEECH_BASE_URL: 'http://localhost:3001',
    });
    made = document.parse(JSON.parse(JSON.stringify(openApiDocument())));
  });

  it('contains each operation, and nothing else', () => {
    const documented = Object.entries(made.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = operations.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(documented.sort()).toEqual(declared.sort());
  });

  it('declares every parameter of a path, as required', () => {
    for (const [path, methods] of Object.entries(made.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      for (const operation of Object.values(methods)) {
        const declared = operation.parameters.filter((one) => one.in === 'path');
        expect(declared.map(({ name }) => name).sort(), path).toEqual(inPath);
        expect(
          declared.every(({ required }) => required),
          path,
        ).toBe(true);
      }
    }
  });

  it('tells the errors of each operation by their status', () => {
    for (const operation of operations) {
      const path = operation.path.replace(/:(\w+)/g, '{$1}');
      const method = operation.method.toLowerCase() as 'get' | 'post' | 'delete';
      const responses = made.paths[path]?.[method]?.responses ?? {};
      const expected = operation.errors.map((code) => String(ERRORS[code][0]));
      if (operation.access !== 'public') expected.push('401');
      if (operation.access === 'verified') expected.push('403');
      expect(Object.keys(responses), path).toEqual(
        expect.arrayContaining([String(operation.status ?? 200), ...expected]),
      );
    }
  });

  it('has no reference that leads nowhere', () => {
    for (const reference of references(made)) {
      const [, ...steps] = reference.split('/');
      const target = steps.reduce<unknown>(
        (value, step) => (value as Record<string, unknown> | undefined)?.[step],
        made,
      );
      expect(target, reference).toBeDefined();
    }
  });
});
