import { z } from 'zod';

export type Json = Record<string, unknown>;

/** What people send, or what they get back: the two differ where a schema transforms or has defaults. */
type Direction = 'input' | 'output';

const REFERENCE = '#/components/schemas/';

/** Formats that say all that their patterns do. */
const OBVIOUS_FORMATS = ['uuid', 'email', 'date-time'];

/** Applies a change to a value and everything in it, the innermost first. */
function mapDeep(value: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => mapDeep(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const mapped = Object.entries(value).map(([key, inner]) => [key, mapDeep(inner, change)]);
  return change(Object.fromEntries(mapped));
}

/** Zod's way of writing a schema, as OpenAPI 3.1 and its tools prefer it. */
function tidy({ type, format, pattern, example, ...rest }: Json): Json {
  const { prefixItems } = rest;
  const hasPattern = pattern !== undefined && !OBVIOUS_FORMATS.includes(String(format));
  return {
    ...(type === undefined ? {} : { type }),
    ...(format === undefined ? {} : { format }),
    ...(hasPattern ? { pattern } : {}),
    ...rest,
    ...(Array.isArray(prefixItems)
      ? { items: prefixItems.at(-1), minItems: prefixItems.length, maxItems: prefixItems.length }
      : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

/** Collects the schemas that several operations share, under the ids that the contracts give them. */
export function createSchemas() {
  const shared: Record<string, Json> = {};

  /** Gives a shared schema its place. One that's taken differently than it's returned has another as input. */
  function place(name: string, schema: Json): string {
    const known = shared[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) return place(`${name}Input`, schema);
    shared[name] = schema;
    return name;
  }

  /**
   * Returns JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. Schemas with an id become references.
   * Convert all outputs before the first input.
   */
  function schemaOf(type: z.ZodType, io: Direction): Json {
    // In a list, so that a schema with an id is a reference even where it's the outermost.
    const { items, $defs = {} } = z.toJSONSchema(z.array(type), { io, unrepresentable: 'any' }) as {
      items: Json;
      $defs?: Record<string, Json>;
    };
    const names = new Map<string, string>();
    const withReferences = (schema: Json): Json =>
      mapDeep(schema, (object) => {
        const { $ref, ...rest } = object;
        if (typeof $ref !== 'string') return tidy(object);
        const name = $ref.replace('#/$defs/', '');
        return { $ref: REFERENCE + settle(name), ...tidy(rest) };
      }) as Json;
    function settle(name: string): string {
      const settled = names.get(name);
      if (settled) return settled;
      const placed = place(name, withReferences($defs[name] ?? {}));
      names.set(name, placed);
      return placed;
    }
    return withReferences(items);
  }

  const resolve = (schema: Json): Json =>
    typeof schema.$ref === 'string' ? (shared[schema.$ref.slice(REFERENCE.length)] ?? {}) : schema;

  return { shared, schemaOf, resolve };
}

export type Schemas = ReturnType<typeof createSchemas>;

const BY_FORMAT: Record<string, string> = {
  uuid: '0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90',
  email: 'ada@example.com',
  date: '2026-03-01',
  'date-time': '2026-03-01T18:30:00.000Z',
};

/**
 * Returns an example of a schema, put together from those that its parts have in the contracts.
 * @param name what the schema is of, for the error
 * @throws Error when a part has none
 */
export function exampleOf(schema: Json, resolve: Schemas['resolve'], name: string): unknown {
  const { $ref: _, ...own } = schema;
  const whole: Json & { examples?: unknown[]; enum?: unknown[]; anyOf?: Json[] } = {
    ...resolve(schema),
    ...own,
  };
  const { type, format, examples, enum: choices, anyOf, items, properties } = whole;
  if (examples) return examples[0];
  if ('const' in whole) return whole.const;
  if ('default' in whole) return whole.default;
  if (choices) return choices[0];
  if (anyOf) return exampleOf(anyOf[0] ?? {}, resolve, name);
  if (type === 'boolean') return true;
  if (type === 'array') return [exampleOf(items as Json, resolve, name)];
  if (properties) {
    const parts = Object.entries(properties as Record<string, Json>);
    return Object.fromEntries(parts.map(([key, part]) => [key, exampleOf(part, resolve, `${name}.${key}`)]));
  }
  const byFormat = BY_FORMAT[String(format)];
  if (byFormat === undefined) throw new Error(`Give ${name} an example in its contract: .meta({ example }).`);
  return byFormat;
}
