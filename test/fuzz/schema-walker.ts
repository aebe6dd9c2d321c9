import { z } from 'zod';
import type { Operation } from '@/lib/foundation/contract/operation';

/** The part of JSON Schema that the contracts' schemas come out as. */
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
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  prefixItems?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  /** The example that the contract gives. */
  example?: unknown;
  $ref?: string;
}

/** Keywords that say nothing about which values are good. */
const ANNOTATIONS = ['description', 'id', 'deprecated'];

const SUPPORTED_KEYWORDS = new Set([
  ...['type', 'format', 'pattern', 'enum', 'const', 'anyOf', 'oneOf', 'properties', 'required', 'items'],
  ...['additionalProperties', 'propertyNames', 'prefixItems', 'minimum', 'maximum', 'minLength', 'maxLength'],
  ...[
    'minItems',
    'maxItems',
    'default',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'contentEncoding',
    'minProperties',
    'example',
    'deprecated',
  ],
]);

/** One place where a value goes, at any depth. */
export interface SchemaPath {
  /** The names on the way there; `[]` is an item of a list, `{}` a value under any name. */
  path: string[];
  schema: Schema;
  /** The whole value with `hole` in this place and good values elsewhere; undefined leaves it out. */
  fill(hole: unknown): unknown;
}

/** Good values for names whose schema doesn't say what's good; `uuid` is every id's. */
export type SampleHints = Record<string, unknown>;

interface WalkedSchema {
  sample: unknown;
  places: SchemaPath[];
}

const rootPath = (schema: Schema): SchemaPath => ({ path: [], schema, fill: (hole) => hole });

function nestPath(place: SchemaPath, name: string, wrap: (value: unknown) => unknown): SchemaPath {
  return { ...place, path: [name, ...place.path], fill: (hole) => wrap(place.fill(hole)) };
}

function leafSample(schema: Schema, hints: SampleHints): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'integer' || schema.type === 'number')
    return Math.min(Math.max(schema.minimum ?? 1, 1), schema.maximum ?? 1);
  if (schema.type === 'boolean') return true;
  if (schema.type === 'null') return null;
  if (schema.format === 'email') return 'ada@example.com';
  if (schema.format === 'uuid') return hints.uuid ?? '0190a0b0-0000-7000-8000-000000000000';
  return schema.example ?? '2026-03-01';
}

function walkObject(schema: Schema, hints: SampleHints, chosen?: ReadonlySet<string>): WalkedSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const walked = walkSchema(property, hints);
    const sample = name in hints && !property.anyOf ? hints[name] : walked.sample;
    return { name, places: walked.places, sample };
  });
  const isSent = (name: string) => !chosen || chosen.has(name) || (schema.required ?? []).includes(name);
  const sample = Object.fromEntries(
    properties.filter(({ name }) => isSent(name)).map((property) => [property.name, property.sample]),
  );
  const places = properties.flatMap((property) =>
    property.places.map((place) =>
      nestPath(place, property.name, (value) => ({ ...sample, [property.name]: value })),
    ),
  );
  if (typeof schema.additionalProperties === 'object') {
    const more = walkSchema(schema.additionalProperties, hints).places;
    places.push(...more.map((place) => nestPath(place, '{}', (value) => ({ ...sample, any: value }))));
  }
  return { sample, places: [rootPath(schema), ...places] };
}

/**
 * Returns every place of a schema, and a good value of it.
 * @param chosen the optional properties of the outermost object to send; all of them when left out
 * @throws Error for a keyword that isn't handled, so that no part of a schema is missed silently
 */
export function walkSchema(
  schema: Schema,
  hints: SampleHints = {},
  chosen?: ReadonlySet<string>,
): WalkedSchema {
  const unknown = Object.keys(schema).find((keyword) => !SUPPORTED_KEYWORDS.has(keyword));
  if (unknown) throw new Error(`The keyword ${unknown} isn't handled.`);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) {
    const walked = branches.map((branch) => walkSchema(branch, hints, chosen));
    const inner = walked.flatMap(({ places }) => places.filter(({ path }) => path.length > 0));
    return { sample: walked[0]?.sample, places: [rootPath(schema), ...inner] };
  }
  if (schema.type === 'object') return walkObject(schema, hints, chosen);
  if (schema.type === 'array') {
    const items = (schema.prefixItems ?? [schema.items ?? {}]).map((item) => walkSchema(item, hints));
    const sample = items.map((item) => item.sample);
    const places = items.flatMap((item, index) =>
      item.places.map((place) => nestPath(place, '[]', (value) => sample.with(index, value))),
    );
    return { sample, places: [rootPath(schema), ...places] };
  }
  return { sample: leafSample(schema, hints), places: [rootPath(schema)] };
}

/** Puts the schemas that have names in the places where they're referred to, without annotations. */
function inlineReferences(value: unknown, named: Record<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((item) => inlineReferences(item, named));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...own } = value as Schema;
  const schema = { ...(named[$ref?.replace('#/$defs/', '') ?? ''] ?? {}), ...own };
  return Object.fromEntries(
    Object.entries(schema)
      .map(([keyword, inner]) => [
        keyword,
        keyword === 'properties' && typeof inner === 'object'
          ? Object.fromEntries(
              Object.entries(inner as object).map(([name, one]) => [name, inlineReferences(one, named)]),
            )
          : inlineReferences(inner, named),
      ])
      .filter(([keyword]) => !ANNOTATIONS.includes(String(keyword))),
  );
}

/** What a schema takes, as JSON Schema. */
export function schemaOf(type: z.ZodType): Schema {
  const { items, $defs = {} } = z.toJSONSchema(z.array(type), { io: 'input', unrepresentable: 'any' }) as {
    items: Schema;
    $defs?: Record<string, Schema>;
  };
  return inlineReferences(items, $defs) as Schema;
}

/** The values at and just past the limits of a schema, and its choices, each also written otherwise. */
export function boundaryValues(schema: Schema): unknown[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const lengths = [minLength, maxLength].filter((length) => length !== undefined);
  const counts = [minItems, maxItems].filter((count) => count !== undefined && count <= 2000);
  const choices = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])];
  return [
    ...[minimum, maximum]
      .filter((limit) => limit !== undefined)
      .flatMap((limit) => [limit - 1, limit, limit + 1]),
    ...lengths.flatMap((length) =>
      [length - 1, length, length + 1].map((size) => 'a'.repeat(Math.max(0, size))),
    ),
    ...counts.flatMap((count) => [
      Array(count).fill(walkSchema(schema.items ?? {}).sample),
      Array((count ?? 0) + 1).fill('a'),
    ]),
    ...choices.flatMap((choice) => [choice, String(choice).toUpperCase(), `${choice}\0`]),
  ];
}

/** Which of an operation's inputs a place belongs to. */
export type InputPart = 'params' | 'query' | 'body';

export const INPUT_PARTS: readonly InputPart[] = ['params', 'query', 'body'];

/** The names of the optional properties at the outermost level, of which callers may send any. */
export function optionalNames(operation: Operation): string[] {
  return (['query', 'body'] as const).flatMap((part) => {
    const type = operation[part];
    const schema: Schema = type ? schemaOf(type) : {};
    return Object.keys(schema.properties ?? {}).filter((name) => !(schema.required ?? []).includes(name));
  });
}

/** Every place of an operation's inputs, and good values of them, derived from its contract. */
export function inputsOf(
  operation: Operation,
  hints: SampleHints = {},
  chosen?: ReadonlySet<string>,
): Partial<Record<InputPart, WalkedSchema>> {
  return Object.fromEntries(
    INPUT_PARTS.flatMap((part) => {
      const type = operation[part];
      return type ? [[part, walkSchema(schemaOf(type), hints, chosen)]] : [];
    }),
  );
}
