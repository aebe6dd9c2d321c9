import type { passkeys } from '@/db/schema/security';
import type { PasskeySummary } from './contract';

/** A passkey as the wire has it: without its key. */
export function presentPasskey({
  id,
  name,
  createdAt,
  lastUsedAt,
  disabledAt,
}: typeof passkeys.$inferSelect): PasskeySummary {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    disabled: disabledAt !== null,
  };
}
