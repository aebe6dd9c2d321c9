import { expect, it } from 'vitest';
import { operations } from '@/lib/api/operations';
import { parseInput } from '@/lib/api/validation';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Operation } from '@/lib/foundation/contract/operation';
import { inputNames, isUserMessage } from './messages';
import { createRequestBuilder, fuzzEachPlace } from './request-builder';
import { parsePart, type WireRequest } from './request-parser';
import { INPUT_PARTS, type InputPart } from './schema-walker';

const base = { hints: {}, params: {}, chosen: new Set<string>() };

/** The refusal of a part of a request; undefined when it's taken, or isn't JSON or an address at all. */
function refusalOf(operation: Operation, part: InputPart, request: WireRequest): AppError | undefined {
  const schema = operation[part];
  let value: unknown;
  try {
    value = parsePart(operation, part, request);
  } catch {
    return undefined;
  }
  try {
    if (schema) parseInput(schema, value);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  return undefined;
}

it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  'tells people what is wrong with each hostile value of %s',
  (_, operation) => {
    const names = inputNames(operation);
    const build = createRequestBuilder(operation, base);
    for (const part of INPUT_PARTS) {
      const sent = fuzzEachPlace(build, part).flatMap(({ requests }) => requests);
      expect(sent.length > 0, part).toBe(operation[part] !== undefined);
      for (const request of sent) {
        const refusal = refusalOf(operation, part, request);
        if (!refusal) continue;
        const { code, message, fields = {} } = refusal;
        expect(code).toBe('validation_failed');
        const unfit = [message, ...Object.values(fields)].filter((text) => !isUserMessage(text));
        const unknown = Object.keys(fields).filter((name) => !names.has(name));
        expect([unfit, unknown], `${request.input}: ${request.value}`).toEqual([[], []]);
        expect(Object.keys(fields).length).toBeGreaterThan(0);
      }
    }
  },
);
