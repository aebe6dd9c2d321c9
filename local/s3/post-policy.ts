import { z } from 'zod';
import { notImplemented, S3Error } from './errors';

/** A POST policy: the exact values of the form's fields, and how many bytes the file may have. */
export type PostPolicy = {
  expiration: Date;
  conditions: { field: string; value: string }[];
  minBytes: number;
  maxBytes: number;
};

/** The conditions that are enforced; any other is refused. */
const policySchema = z.object({
  expiration: z.iso.datetime(),
  conditions: z.array(
    z.union([
      z.tuple([z.literal('content-length-range'), z.int().min(0), z.int().min(0)]),
      z.tuple([z.literal('eq'), z.string().startsWith('$'), z.string()]),
      z.record(z.string(), z.string()),
    ]),
  ),
});

/** Fields that need no condition. */
const UNCHECKED_FIELDS = new Set(['x-amz-signature', 'policy']);

/**
 * Reads a signed policy document. Throws InvalidPolicyDocument when it isn't JSON, and NotImplemented for conditions
 * other than exact values and content-length-range.
 * Source: "Creating a POST policy" in the S3 API reference.
 */
export function parsePolicy(base64: string): PostPolicy {
  let document: unknown;
  try {
    document = JSON.parse(Buffer.from(base64, 'base64').toString('utf8'));
  } catch {
    throw new S3Error('InvalidPolicyDocument', 'Invalid Policy: Invalid JSON.');
  }
  const parsed = policySchema.safeParse(document);
  if (!parsed.success) throw notImplemented(`this POST policy (${z.prettifyError(parsed.error)})`);
  const policy: PostPolicy = {
    expiration: new Date(parsed.data.expiration),
    conditions: [],
    minBytes: 0,
    maxBytes: Number.POSITIVE_INFINITY,
  };
  for (const condition of parsed.data.conditions) {
    if (!Array.isArray(condition)) {
      for (const [field, value] of Object.entries(condition)) policy.conditions.push({ field, value });
    } else if (condition[0] === 'eq') {
      policy.conditions.push({ field: condition[1].slice(1), value: condition[2] });
    } else {
      policy.minBytes = Math.max(policy.minBytes, condition[1]);
      policy.maxBytes = Math.min(policy.maxBytes, condition[2]);
    }
  }
  return policy;
}

/** Checks the expiry, every condition, and that every field has a condition. Names in `fields` are lowercase. */
export function checkPolicy(policy: PostPolicy, fields: ReadonlyMap<string, string>, now: Date): void {
  if (policy.expiration <= now) throw denied('Policy expired.');
  for (const { field, value } of policy.conditions) {
    if ((fields.get(field.toLowerCase()) ?? '') === value) continue;
    throw denied(`Policy Condition failed: ${JSON.stringify(['eq', `$${field}`, value])}`);
  }
  const covered = new Set(policy.conditions.map(({ field }) => field.toLowerCase()));
  const extra = [...fields.keys()].filter((name) => !covered.has(name) && !UNCHECKED_FIELDS.has(name));
  if (extra.length > 0) throw denied(`Extra input fields: ${extra.join(', ')}`);
}

function denied(reason: string): S3Error {
  return new S3Error('AccessDenied', `Invalid according to Policy: ${reason}`);
}
