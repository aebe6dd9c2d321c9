import { desc, eq, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Database, db, type Transaction } from '@/db/client';
import { auditEvents } from '@/db/schema/security';
import { deviceName } from '@/lib/foundation/http/device-name';
import { log } from '@/lib/foundation/log';
import { afterResponse, requestScope } from '@/lib/foundation/request-scope';
import { EVENT_KINDS, type EventKind, SECURITY_RELEVANT } from './event-kinds';
import { truncateAddress } from './network';

interface AuditDetails {
  /** Whose account it is about; none where there is no such account. */
  userId?: string | null | undefined;
  sessionId?: string | undefined;
  /** One word more, never a secret, an address or anybody's words. */
  detail?: string | undefined;
}

/**
 * Records a security event in the log and in the account's history, with the request and the client at
 * hand. What has changed something is noted in the transaction that changes it. A refusal has none: it is written
 * once the answer is out, so that its time does not tell whether there is an account. Note a try only after it was
 * counted by `countTry`, so that nobody can fill the disk with them.
 */
export async function recordAuditEvent(
  kind: EventKind,
  about: AuditDetails = {},
  tx?: Transaction | Database,
): Promise<void> {
  log[SECURITY_RELEVANT.has(kind) ? 'warn' : 'info']({ event: kind, ...about }, EVENT_KINDS[kind]);
  const scope = requestScope.getStore();
  const row = {
    id: uuidv7(),
    kind,
    userId: about.userId ?? null,
    at: new Date(),
    requestId: scope?.requestId ?? null,
    network: truncateAddress(scope?.client.address ?? ''),
    device: scope ? deviceName(scope.client.userAgent) : '',
    sessionId: about.sessionId ?? null,
    detail: about.detail ?? null,
  };
  const write = async () => {
    await (tx ?? db()).insert(auditEvents).values(row);
  };
  if (tx || !afterResponse(write)) await write();
}

/** The account's newest events, the latest first. */
export function recentActivity(userId: string, limit: number) {
  return db()
    .select({
      id: auditEvents.id,
      kind: sql<EventKind>`${auditEvents.kind}`,
      at: auditEvents.at,
      device: auditEvents.device,
      network: auditEvents.network,
      detail: auditEvents.detail,
    })
    .from(auditEvents)
    .where(eq(auditEvents.userId, userId))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(limit);
}

/** Removes what is older than 90 days. */
export async function deleteOldEvents(): Promise<void> {
  await db().delete(auditEvents).where(lt(auditEvents.at, sql`now() - interval '90 days'`));
}
