import { S3Error } from './errors';

type Condition = { field: string; value: string; source: unknown };

/** A POST policy: the exact values of the form's fields, and how many bytes the file may have. */
export type PostPolicy = { expiration: Date; conditions: Condition[]; minBytes: number; maxBytes: number };

/** Fields that need no condition, besides those that begin with `x-ignore-`. */
const UNCHECKED_FIELDS = new Set(['x-amz-signature', 'file', 'policy']);

/**
 * Reads a policy document. Throws InvalidPolicyDocument when it isn't one, and NotImplemented for conditions other
 * than exact values and content-length-range, because it wouldn't enforce them.
 * Source: "Creating a POST policy" in the S3 API reference.
 */
export function parsePolicy(base64: string): PostPolicy {
  let document: unknown;
  try {
    document = JSON.parse(Buffer.from(base64, 'base64').toString('utf8'));
  } catch {
    throw invalid('Invalid JSON.');
  }
  const { expiration, conditions } = (document ?? {}) as { expiration?: unknown; conditions?: unknown };
  const expires = new Date(typeof expiration === 'string' ? expiration : Number.NaN);
  if (Number.isNaN(expires.getTime())) throw invalid('Invalid expiration.');
  if (!Array.isArray(conditions)) throw invalid('Policy missing conditions.');

  const policy: PostPolicy = {
    expiration: expires,
    conditions: [],
    minBytes: 0,
    maxBytes: Number.POSITIVE_INFINITY,
  };
  for (const condition of conditions as unknown[]) {
    if (Array.isArray(condition)) readListCondition(condition, policy);
    else policy.conditions.push(...readExactConditions(condition));
  }
  return policy;
}

/** Checks expiry, every condition, and that every field has one. Field names are in lower case. */
export function checkPolicy(policy: PostPolicy, fields: ReadonlyMap<string, string>, now: Date): void {
  if (policy.expiration.getTime() <= now.getTime()) throw denied('Policy expired.');
  for (const condition of policy.conditions) {
    if ((fields.get(condition.field) ?? '') !== condition.value) {
      throw denied(`Policy Condition failed: ${JSON.stringify(condition.source)}`);
    }
  }
  const covered = new Set(policy.conditions.map(({ field }) => field));
  const extra = [...fields.keys()].filter(
    (name) => !covered.has(name) && !UNCHECKED_FIELDS.has(name) && !name.startsWith('x-ignore-'),
  );
  if (extra.length > 0) throw denied(`Extra input fields: ${extra.join(', ')}`);
}

function readListCondition(condition: unknown[], policy: PostPolicy): void {
  const [name, first, second] = condition;
  const operator = typeof name === 'string' ? name.toLowerCase() : '';
  if (condition.length !== 3) throw invalid('Invalid condition.');
  if (operator === 'content-length-range') {
    const [min, max] = [Number(first), Number(second)];
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || min < 0 || max < min) {
      throw invalid('Invalid content-length-range.');
    }
    policy.minBytes = Math.max(policy.minBytes, min);
    policy.maxBytes = Math.min(policy.maxBytes, max);
    return;
  }
  if (operator !== 'eq') {
    throw new S3Error('NotImplemented', `The policy condition ${operator} is not implemented.`);
  }
  if (typeof first !== 'string' || !first.startsWith('$') || typeof second !== 'string') {
    throw invalid('Invalid condition.');
  }
  policy.conditions.push({ field: first.slice(1).toLowerCase(), value: second, source: condition });
}

function readExactConditions(condition: unknown): Condition[] {
  if (condition === null || typeof condition !== 'object') throw invalid('Invalid condition.');
  return Object.entries(condition).map(([field, value]) => {
    if (typeof value !== 'string') throw invalid('Invalid condition.');
    return { field: field.toLowerCase(), value, source: ['eq', `$${field}`, value] };
  });
}

function denied(reason: string): S3Error {
  return new S3Error('AccessDenied', `Invalid according to Policy: ${reason}`);
}

function invalid(reason: string): S3Error {
  return new S3Error('InvalidPolicyDocument', `Invalid Policy: ${reason}`);
}
