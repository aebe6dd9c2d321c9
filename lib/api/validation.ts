import type { z } from 'zod';
import { AppError, ERRORS } from '@/lib/foundation/contract/errors';
import { runAtOnce, type Steps } from '@/lib/foundation/shared/steps';
import { parseInSteps } from './parse-in-steps';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];
type Issue = z.core.$ZodIssue;

const counted = (count: unknown, noun: string) =>
  `${Number(count).toLocaleString('en-US')} ${noun}${Number(count) === 1 ? '' : 's'}`;

const OF_TYPE: Record<string, string> = {
  string: 'Enter text.',
  number: 'Enter a number.',
  int: 'Enter a whole number.',
  boolean: 'Choose yes or no.',
  array: 'Send a list.',
  tuple: 'Send a list.',
};

const OF_FORMAT: Record<string, string> = {
  email: 'Enter a valid email address.',
  url: 'Enter a valid link.',
  uuid: 'This ID isn’t valid.',
};

const INVALID = 'This value isn’t valid.';

function describeLimit(origin: string, limit: unknown, side: 'most' | 'least'): string {
  if (origin === 'string') {
    if (side === 'least' && Number(limit) === 1) return 'This is required.';
    return `Use at ${side} ${counted(limit, 'character')}.`;
  }
  if (origin === 'array' || origin === 'set') return `Send at ${side} ${counted(limit, 'item')}.`;
  return `Enter ${Number(limit).toLocaleString('en-US')} or ${side === 'most' ? 'less' : 'more'}.`;
}

/** Returns a sentence for what a schema without a message of its own finds wrong. Never repeats the input. */
function describeIssue(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This is required.' : (OF_TYPE[issue.expected] ?? INVALID);
    case 'too_big':
      return describeLimit(issue.origin, issue.maximum, 'most');
    case 'too_small':
      return describeLimit(issue.origin, issue.minimum, 'least');
    case 'invalid_format':
      return OF_FORMAT[issue.format] ?? 'This isn’t in the right format.';
    case 'invalid_value':
      return issue.values.length === 1 ? INVALID : `Choose one of: ${issue.values.join(', ')}.`;
    default:
      return INVALID;
  }
}

/**
 * Returns the issues of the one branch that the input was meant for: the only one where nothing is wrong but single
 * fields. Undefined where none or several could be meant.
 */
function matchingBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const likely = branches.filter((issues) => issues.every(({ path }) => path.length > 0));
  return likely.length === 1 ? likely[0] : undefined;
}

function fieldsOf(issues: readonly Issue[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of issues) {
    const [name] = issue.path;
    const meant =
      name === undefined && issue.code === 'invalid_union' ? matchingBranch(issue.errors) : undefined;
    if (meant) Object.assign(fields, fieldsOf(meant));
    // Only a broken client sends something else than an object.
    else if (name === undefined && issue.code === 'invalid_type') fields.body ??= ERRORS.bad_request[1];
    else fields[String(name ?? 'body')] ??= issue.message;
  }
  return fields;
}

/**
 * Parses an input by its schema, in steps.
 * @throws AppError `validation_failed`, with a sentence for each bad field; a single one's is the message, too
 */
export function* parseInputInSteps(schema: z.ZodType, value: unknown): Steps<unknown> {
  const parsed = yield* parseInSteps(schema, value, describeIssue);
  if ('data' in parsed) return parsed.data;
  const fields = fieldsOf(parsed.issues);
  const [sentence, ...others] = Object.values(fields);
  throw new AppError('validation_failed', {
    fields,
    ...(sentence && others.length === 0 ? { message: sentence } : {}),
  });
}

/** Parses an input like {@link parseInputInSteps}, all at once: for one that's short. */
export const parseInput = (schema: z.ZodType, value: unknown): unknown =>
  runAtOnce(parseInputInSteps(schema, value));
