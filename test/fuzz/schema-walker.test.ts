import { expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '@/lib/api/operations';
import { operation } from '@/lib/foundation/contract/operation';
import { fuzzRequests } from './requests';
import { INPUT_PARTS, inputsOf, schemaOf, walkSchema } from './schema-walker';

const paths = (type: z.ZodType) => [
  ...new Set(walkSchema(schemaOf(type)).places.map(({ path }) => path.join('.'))),
];

it('finds every place of a schema, at any depth', () => {
  const inner = z.object({ id: z.uuid(), color: z.string().default('#FFFFFF') });
  const schema = z.object({
    list: z.array(z.union([z.string(), inner])).max(3),
    pair: z.tuple([z.number(), z.object({ deep: z.boolean().nullable() })]),
    named: z.record(z.string(), z.object({ value: z.int() })),
    choice: z.enum(['a', 'b']).optional(),
    read: z.preprocess((value) => value, z.string().optional()),
  });
  expect(paths(schema).sort()).toEqual(
    [
      ...['', 'list', 'list.[]', 'list.[].id', 'list.[].color', 'pair', 'pair.[]', 'pair.[].deep'],
      ...['named', 'named.{}', 'named.{}.value', 'choice', 'read'],
    ].sort(),
  );
});

it('puts a value into each place, and good ones into the others', () => {
  const schema = z.object({ list: z.array(z.object({ id: z.uuid(), at: z.number() })), title: z.string() });
  const { places } = walkSchema(schemaOf(schema));
  const at = places.find(({ path }) => path.join('.') === 'list.[].at');
  expect(at?.fill('hole')).toEqual({
    list: [{ id: '0190a0b0-0000-7000-8000-000000000000', at: 'hole' }],
    title: '2026-03-01',
  });
});

it('refuses a schema that it can read in part only', () => {
  expect(() => walkSchema({ allOf: [] } as never)).toThrow('allOf');
});

/** The paths of all leaves, found in the schemas' own definitions instead of in JSON Schema. */
function leaves(type: z.core.$ZodType, path: string[] = []): string[] {
  const { def } = (type as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, inner]) => leaves(inner, [...path, name]));
    case 'array':
      return leaves(def.element, [...path, '[]']);
    case 'tuple':
      return def.items.flatMap((item) => leaves(item, [...path, '[]']));
    case 'record':
      return leaves(def.valueType, [...path, '{}']);
    case 'union':
      return def.options.flatMap((option) => leaves(option, path));
    case 'optional':
    case 'nullable':
    case 'default':
      return leaves(def.innerType, path);
    case 'pipe':
      return leaves(def.in._zod.def.type === 'transform' ? def.out : def.in, path);
    default:
      return [path.join('.')];
  }
}

const base = { hints: {}, params: {}, chosen: new Set<string>() };

it.each(operations.map((one, turn) => [`${one.method} ${one.path}`, one, turn] as const))(
  'reaches every input of %s',
  (_, one, turn) => {
    const attacked = fuzzRequests(one, base, [], turn).map(({ input }) => input);
    for (const part of INPUT_PARTS) {
      const type = one[part];
      const found = (inputsOf(one)[part]?.places ?? []).map(({ path }) => path.join('.'));
      const wanted = type ? leaves(type) : [];
      expect(wanted.length > 0, part).toBe(type !== undefined);
      expect(found).toEqual(expect.arrayContaining(wanted));
      // A query has no depth: what a repeated name gives is one input.
      const inputs = wanted.map((leaf) => [part, part === 'body' ? leaf : leaf.split('.')[0]]);
      expect(attacked).toEqual(
        expect.arrayContaining(inputs.map((input) => input.filter(Boolean).join('.'))),
      );
    }
  },
);

it('covers an operation that nobody has told it of', () => {
  const added = operation({
    method: 'POST',
    path: '/added/:id',
    summary: 'An operation of the future',
    description: 'It has an input of every kind.',
    access: 'verified',
    params: z.object({ id: z.uuid() }),
    query: z.object({ depth: z.coerce.number() }),
    body: z.object({ mood: z.object({ color: z.string() }) }),
    errors: [],
  });
  const requests = fuzzRequests(added, base, [], 0);
  const sent = (input: string) => requests.filter((request) => request.input === input).length;
  for (const input of ['params.id', 'query.depth', 'body', 'body.mood', 'body.mood.color']) {
    expect(sent(input), input).toBeGreaterThan(10);
  }
});
