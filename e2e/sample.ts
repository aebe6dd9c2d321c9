import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Operation } from '@/lib/contract/operation';
import type { Input } from './client';

interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
}

/** A value that a schema takes: a text is a date, which titles, names and passwords take as well. */
function sampleFromSchema(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return sampleFromSchema(first);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [
          name,
          name === 'content_type' ? 'video/mp4' : sampleFromSchema(property),
        ]),
      );
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    default:
      if (schema.format === 'email') return `${randomUUID()}@example.com`;
      if (schema.format === 'uuid') return randomUUID();
      return schema.pattern?.includes('#') ? '#336699' : '2026-03-01';
  }
}

const sample = (type: z.ZodType | undefined) =>
  type &&
  (sampleFromSchema(z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema) as never);

/** Input that an operation can read; ids in its path are those of nothing. */
export function sampleInput({ params, query, body }: Operation): Input {
  const given = Object.entries(sample(query) ?? {}).filter(([name]) => name !== 'cursor');
  return {
    ...(params ? { params: sample(params) as never } : {}),
    ...(query ? { query: Object.fromEntries(given) as never } : {}),
    ...(body ? { body: sample(body) } : {}),
  };
}
