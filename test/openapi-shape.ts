import { z } from 'zod';

const reference = z.strictObject({ $ref: z.string().startsWith('#/components/') });
const schema = z.record(z.string(), z.unknown());
const sentence = z.string().regex(/^[A-Z`].+[.)]$/s);
const header = z.strictObject({ description: sentence, required: z.boolean().optional(), schema });
export const parameter = z.strictObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header']),
  description: z.string().optional(),
  required: z.boolean().optional(),
  schema,
  example: z.unknown(),
});
export const response = z.strictObject({
  description: z.string().min(5),
  headers: z.record(z.string(), reference),
  content: z
    .record(
      z.string(),
      z.strictObject({
        schema,
        example: z.unknown().optional(),
        examples: z.record(z.string(), z.strictObject({ value: z.unknown() })).optional(),
      }),
    )
    .optional(),
});
export const operationObject = z.strictObject({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  tags: z.array(z.string()).length(1),
  // A title, and at least a sentence.
  summary: z.string().regex(/^[A-Z][\w’ -]{3,50}$/),
  description: sentence,
  security: z.array(z.record(z.string(), z.tuple([]))),
  parameters: z.array(z.union([parameter, reference])),
  requestBody: z
    .strictObject({
      description: z.string().optional(),
      required: z.literal(true),
      content: z.strictObject({ 'application/json': z.strictObject({ schema, example: z.unknown() }) }),
    })
    .optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), z.union([response, reference])),
});
/** The parts of an OpenAPI 3.1 document that ours has; whatever else appears is a slip. */
export const document = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    description: z.string(),
    contact: z.strictObject({ name: z.string(), url: z.url() }),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.url(), description: sentence })).min(1),
  tags: z.array(z.strictObject({ name: z.string(), description: sentence })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'post', 'delete']), operationObject),
  ),
  components: z.strictObject({
    securitySchemes: z.record(
      z.string(),
      z.strictObject({
        type: z.literal('apiKey'),
        in: z.literal('cookie'),
        name: z.string(),
        description: sentence,
      }),
    ),
    parameters: z.record(z.string(), parameter),
    headers: z.record(z.string(), header),
    schemas: z.record(z.string(), schema),
    responses: z.record(z.string(), response),
  }),
});
