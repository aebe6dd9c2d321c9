import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { JSON_LIMIT } from '@/lib/api/body-limits';
import { openApiDocument } from '@/lib/api/openapi';
import { errorCodesOf } from '@/lib/api/openapi-responses';
import { type NamedOperation, operations } from '@/lib/api/operations';
import { ERRORS } from '@/lib/foundation/contract/errors';
import { INPUT_PARTS, inputsOf } from './fuzz/schema-walker';
import { document, type operationObject, type parameter, type response } from './openapi-shape';

type Json = Record<string, unknown>;

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

/** Every object below a value, with the keyword that it stands at. */
function objectsIn(value: unknown, at = ''): { at: string; object: Json }[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item, at));
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => objectsIn(one, key));
  return [{ at, object: value as Json }, ...inner];
}

function resolve<T>(value: T | { $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T;
  const [, ...steps] = value.$ref.split('/');
  const target = steps.reduce<unknown>((part, step) => (part as Json | undefined)?.[step], made);
  expect(target, value.$ref).toBeDefined();
  return target as T;
}

const pathOf = ({ path }: NamedOperation) => path.replace(/:(\w+)/g, '{$1}');
function described(operation: NamedOperation): z.infer<typeof operationObject> {
  const methods = made.paths[pathOf(operation)];
  const found = methods?.[operation.method.toLowerCase() as 'get' | 'post' | 'delete'];
  if (!found) throw new Error(`${operation.name} isn't documented.`);
  return found;
}
const responseOf = (operation: NamedOperation, status: number) =>
  resolve<z.infer<typeof response>>(described(operation).responses[status] as never);
const parametersOf = (operation: NamedOperation) =>
  described(operation).parameters.map((one) => resolve<z.infer<typeof parameter>>(one as never));

/** Parses a value by a schema of the document itself. */
function problemsWith(given: Json, value: unknown): unknown {
  const text = JSON.stringify({ ...given, $defs: made.components.schemas })
    // Zod takes only absolute URLs for these.
    .replaceAll('"format":"uri-reference",', '');
  const parsed = z
    .fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
    .safeParse(value);
  return parsed.success ? null : z.prettifyError(parsed.error);
}

const every = operations.map((operation) => [operation.name, operation] as const);

describe('the document', () => {
  it('contains each operation by its contract’s name, and nothing else', () => {
    const ids = Object.entries(made.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => `${one.operationId} ${method.toUpperCase()} ${path}`),
    );
    const declared = operations.map((one) => `${one.name} ${one.method} ${pathOf(one)}`);
    expect(ids.sort()).toEqual(declared.sort());
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
  });

  it('has each group with operations, and each operation in one', () => {
    const used = operations.map((operation) => described(operation).tags[0]);
    expect([...new Set(used)].sort()).toEqual(made.tags.map(({ name }) => name).sort());
  });

  it('uses every shared part, and refers to none that’s missing', () => {
    const used = objectsIn(made).flatMap(({ object }) =>
      typeof object.$ref === 'string' ? [object.$ref] : [],
    );
    const { securitySchemes, ...shared } = made.components;
    const declared = Object.entries(shared).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...new Set(used)].sort()).toEqual(declared.sort());
    const needed = operations.flatMap((one) => described(one).security.flatMap((way) => Object.keys(way)));
    expect([...new Set(needed)].sort()).toEqual(Object.keys(securitySchemes).sort());
  });

  it('writes no object schema twice', () => {
    const counts = new Map<string, number>();
    for (const { at, object } of objectsIn({ ...made.paths, ...made.components.schemas })) {
      const names = Object.keys((object.properties as Json | undefined) ?? {});
      if (object.type !== 'object' || at === 'properties' || names.length < 2) continue;
      // What's returned differs from what's taken in this only.
      const { additionalProperties, description, ...rest } = object;
      const text = JSON.stringify([additionalProperties, rest]);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    expect(counts.size).toBeGreaterThan(50);
    expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  });
});

describe.each(every)('%s', (_, operation) => {
  it('declares every parameter', () => {
    const inPath = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const inQuery = Object.keys((operation.query as z.ZodObject | undefined)?.shape ?? {});
    const declared = parametersOf(operation).map((one) => `${one.in} ${one.name} ${one.required ?? false}`);
    const expected = [
      ...inPath.map((name) => `path ${name} true`),
      ...inQuery.map((name) => {
        const type = (operation.query as z.ZodObject).shape[name] as z.ZodType;
        return `query ${name} ${!type.safeParse(undefined).success}`;
      }),
      ...(operation.access === 'public' ? [] : ['header X-Account-Id false']),
    ];
    expect(declared.sort()).toEqual(expected.sort());
  });

  it('declares the errors that it can answer with, each by its status', () => {
    const { responses } = described(operation);
    const codes = errorCodesOf(operation);
    expect(codes).toEqual(expect.arrayContaining([...operation.errors]));
    const success = operation.status ?? 200;
    const statuses = new Set([success, ...codes.map((code) => ERRORS[code][0])]);
    expect(Object.keys(responses).map(Number)).toEqual([...statuses].sort((a, b) => a - b));
    for (const status of statuses) {
      if (status === success) continue;
      const { content } = responseOf(operation, status);
      const of = codes.filter((code) => ERRORS[code][0] === status);
      const { schema: narrowed, examples = {} } = content?.['application/json'] ?? { schema: {} };
      expect(narrowed).toMatchObject({ allOf: [{}, { properties: { code: { enum: of } } }] });
      const values = Object.values(examples).map(({ value }) => value);
      expect(values, String(status)).not.toEqual([]);
      for (const value of values) expect(problemsWith(narrowed, value)).toBeNull();
    }
  });

  it('declares the headers of its responses', () => {
    const statuses = Object.keys(described(operation).responses).map(Number);
    expect(statuses).toContain(operation.status ?? 200);
    for (const status of statuses) {
      const names = Object.keys(responseOf(operation, status).headers);
      const success = status < 400;
      const codes = errorCodesOf(operation).filter((code) => ERRORS[code][0] === status);
      const waits = !success && codes.some((code) => code === 'rate_limited' || code === 'unavailable');
      const expected = [
        ...['Cache-Control', 'Server-Timing', 'X-Request-Id'],
        ...(status === 307 ? ['Location'] : []),
        ...(success && operation.attachment ? ['Content-Disposition'] : []),
        ...(success && operation.paginated ? ['Link', 'X-Total-Count'] : []),
        ...(operation.cookiesOn?.includes(status) ? ['Set-Cookie'] : []),
        ...(waits ? ['Retry-After'] : []),
      ];
      expect(names.sort(), String(status)).toEqual(expected.sort());
    }
  });

  it('says whether its body may be compressed, and how large it may be', () => {
    const { bodyLimit = 0 } = operation;
    const about = described(operation).requestBody?.description;
    if (bodyLimit <= JSON_LIMIT) expect(about).toBeUndefined();
    else expect(about).toContain(`At most ${bodyLimit.toLocaleString('en')} bytes.`);
  });

  it('has examples that its validators and its schemas take', () => {
    const { requestBody } = described(operation);
    const body = requestBody?.content['application/json'];
    if (operation.body) {
      expect(operation.body.safeParse(body?.example).error).toBeUndefined();
      expect(problemsWith(body?.schema ?? {}, body?.example)).toBeNull();
    }
    for (const place of ['path', 'query'] as const) {
      const given = parametersOf(operation).filter((one) => one.in === place);
      const values = Object.fromEntries(given.map(({ name, example }) => [name, example]));
      const type = place === 'path' ? operation.params : operation.query;
      expect(type?.safeParse(values).error).toBeUndefined();
      const problems = given.map(({ schema: one, example }) => problemsWith(one, example));
      expect(problems.filter((problem) => problem !== null)).toEqual([]);
    }
    const returns = Object.entries(responseOf(operation, operation.status ?? 200).content ?? {});
    expect(operation.response === undefined || returns.length > 0).toBe(true);
    for (const [type, { schema: returned, example }] of returns) {
      expect([type, example]).not.toEqual([type, undefined]);
      expect(problemsWith(returned, example)).toBeNull();
      expect(operation.response?.safeParse(example).error).toBeUndefined();
    }
  });

  it('takes texts as long as the document says, and no longer', () => {
    const inputs = inputsOf(operation);
    for (const part of INPUT_PARTS) {
      const longest = (inputs[part]?.places ?? []).flatMap(({ path, schema: one, fill }) => {
        const { type, format, pattern, maxLength } = one;
        const fits = format === undefined && (!pattern || new RegExp(pattern).test('aa'));
        if (type !== 'string' || maxLength === undefined || !fits) return [];
        const takes = (length: number) => {
          const parsed = operation[part]?.safeParse(fill('a'.repeat(length)));
          const at = path.filter((step) => step !== '[]').join();
          return !parsed?.error?.issues.some((issue) =>
            issue.path
              .filter((step) => typeof step === 'string')
              .join()
              .startsWith(at),
          );
        };
        return [[path.join('.'), takes(maxLength), takes(maxLength + 1)]];
      });
      expect(longest).toEqual(longest.map(([path]) => [path, true, false]));
    }
  });
});
