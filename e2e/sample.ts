import { randomUUID } from 'node:crypto';
import type { Operation } from '@/lib/foundation/contract/operation';
import { inputsOf } from '@/test/fuzz/schema-walker';
import type { Input } from './client';

/** Returns input that fits an operation's contract. The ids in its path belong to nothing. */
export function sampleInput(operation: Operation): Input {
  const hints = { uuid: randomUUID(), email: `${randomUUID()}@example.com`, content_type: 'video/mp4' };
  const { query, body } = inputsOf(operation, hints);
  // Ids of their own: an operation may refuse an id in its body that's also in its path.
  const { params } = inputsOf(operation, { uuid: randomUUID() });
  const { cursor, ...rest } = (query?.sample ?? {}) as Record<string, string | number>;
  return {
    ...(params ? { params: params.sample as Record<string, string> } : {}),
    ...(query ? { query: rest } : {}),
    ...(body ? { body: body.sample } : {}),
  };
}
