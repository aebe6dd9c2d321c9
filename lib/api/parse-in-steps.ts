import { z } from 'zod';
import type { Steps } from '@/lib/foundation/shared/steps';

/** How many elements of a list are parsed in a step. A list this short is parsed with what contains it. */
const ELEMENTS_IN_STEP = 100;

type Issue = z.core.$ZodIssue;
type ErrorMap = z.core.$ZodErrorMap;

/** What's left to parse: a value whose lists have been parsed, and its schema, which takes them as they are. */
interface Rest {
  schema: z.ZodType;
  value: unknown;
}

/** What's wrong with an element of a list. */
class BadElement extends Error {
  constructor(readonly issues: readonly Issue[]) {
    super('an element of a list isn’t valid');
  }
}

/** Parses elements. @throws BadElement with the issues of those that aren't valid */
function parseElements(
  part: z.ZodArray<z.ZodType>,
  values: readonly unknown[],
  first: number,
  error: ErrorMap,
) {
  const parsed = part.safeParse(values, { error });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => {
    const [index, ...path] = issue.path;
    return { ...issue, path: [first + Number(index), ...path] };
  });
  throw new BadElement(issues);
}

/** Runs steps whose issues are about a part of something. */
function* within<T>(name: PropertyKey, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    if (!(error instanceof BadElement)) throw error;
    throw new BadElement(error.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] })));
  }
}

/** Returns whether a value of this schema may contain a list. */
function mayContainList(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodArray) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return mayContainList(innerOf(schema));
  return schema instanceof z.ZodObject && Object.values(schema.shape).some(mayContainList);
}

const innerOf = (schema: z.ZodOptional | z.ZodNullable) => schema.unwrap() as z.ZodType;

function* parseList(schema: z.ZodArray<z.ZodType>, values: unknown[], error: ErrorMap): Steps<Rest> {
  const { element } = schema;
  const isNested = mayContainList(element);
  const { maximum = Number.POSITIVE_INFINITY } = schema._zod.bag as { maximum?: number };
  // Zod doesn't look at the elements of a list that's too long.
  if (values.length > maximum || (!isNested && values.length <= ELEMENTS_IN_STEP))
    return { schema, value: values };
  const parsed: unknown[] = [];
  // Made once: Zod compiles a schema when it's first used.
  const elements = z.array(element);
  for (let at = 0; at < values.length; yield) {
    const part = values.slice(at, at + (isNested ? 1 : ELEMENTS_IN_STEP));
    const rest = isNested ? yield* within(at, parseLists(element, part[0], error)) : null;
    parsed.push(
      ...(rest
        ? parseElements(z.array(rest.schema), [rest.value], at, error)
        : parseElements(elements, part, at, error)),
    );
    at += part.length;
  }
  return { schema: schema.clone({ ...schema.def, element: z.any() }), value: parsed };
}

function* parseFields(schema: z.ZodObject, value: Record<string, unknown>, error: ErrorMap): Steps<Rest> {
  const shape: Record<string, z.ZodType> = {};
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    if (!Object.hasOwn(value, name)) continue;
    const rest = yield* within(name, parseLists(field as z.ZodType, value[name], error));
    if (rest.schema === field) continue;
    shape[name] = rest.schema;
    fields[name] = rest.value;
  }
  if (Object.keys(shape).length === 0) return { schema, value };
  const shallow = schema.clone({ ...schema.def, shape: { ...schema.shape, ...shape } });
  return { schema: shallow, value: { ...value, ...fields } };
}

/** Parses the lists in a value. @throws BadElement at the first part of a list that isn't valid */
function* parseLists(schema: z.ZodType, value: unknown, error: ErrorMap): Steps<Rest> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const inner = innerOf(schema);
    const rest = yield* parseLists(inner, value, error);
    if (rest.schema === inner) return { schema, value };
    const shallow = schema.clone({ ...schema.def, innerType: rest.schema } as never);
    return { schema: shallow, value: rest.value };
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return yield* parseList(schema as z.ZodArray<z.ZodType>, value, error);
  }
  if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return yield* parseFields(schema, value as Record<string, unknown>, error);
  }
  return { schema, value };
}

/**
 * Parses a value by its schema like `safeParse`, in steps: 100,000 words would take a tenth of a second, and several
 * times as long if something is wrong with each. Of a list, only the first elements that aren't valid have issues.
 */
export function* parseInSteps(
  schema: z.ZodType,
  value: unknown,
  error: ErrorMap,
): Steps<{ data: unknown } | { issues: readonly Issue[] }> {
  try {
    const rest = yield* parseLists(schema, value, error);
    const parsed = rest.schema.safeParse(rest.value, { error });
    return parsed.success ? { data: parsed.data } : { issues: parsed.error.issues };
  } catch (thrown) {
    if (thrown instanceof BadElement) return { issues: thrown.issues };
    throw thrown;
  }
}
