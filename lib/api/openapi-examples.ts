import type { Json, Schemas } from './openapi-schemas';

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
  const {
    type,
    format,
    examples,
    enum: choices,
    anyOf,
    items,
    prefixItems,
    properties,
    ...rest
  } = {
    ...resolve(schema),
    ...own,
  } as Json & { examples?: unknown[]; enum?: unknown[]; anyOf?: Json[]; properties?: Record<string, Json> };
  if (examples) return examples[0];
  if ('const' in rest) return rest.const;
  if ('default' in rest) return rest.default;
  if (choices) return choices[0];
  if (anyOf) return exampleOf(anyOf[0] ?? {}, resolve, name);
  if (type === 'boolean') return true;
  if (type === 'array') return [exampleOf(items as Json, resolve, name)];
  if (properties) {
    const parts = Object.entries(properties);
    return Object.fromEntries(parts.map(([key, part]) => [key, exampleOf(part, resolve, `${name}.${key}`)]));
  }
  const byFormat = BY_FORMAT[String(format)];
  if (byFormat === undefined) throw new Error(`Give ${name} an example in its contract: .meta({ example }).`);
  return byFormat;
}
