import { desc, eq, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Database, db, type Transaction } from '@/db/client';
import { auditEvents } from '@/db/schema/security';
import { siteNetwork } from '@/lib/foundation/http/client-address';
import { deviceName } from '@/lib/foundation/http/device-name';
import { log } from '@/lib/foundation/log';
import { afterResponse, requestScope } from '@/lib/foundation/request-scope';
import type { ActivityEvent } from './contract';
import { EVENT_KINDS, type EventKind, SECURITY_RELEVANT } from './event-kinds';

interface AuditDetails {
  /** Whose account it is about; none where there is no such account. */
  userId?: string | null | undefined;
  sessionId?: string | undefined;
  /** One word more, never a secret, an address or anybody's words. */
  detail?: string | undefined;
}

/**
 * The part of a client's address that is kept: enough to tell a home from a foreign country, too little to tell one
 * household from its neighbours.
 * @param address an IPv4 address, or an IPv6 network as `clientAddress` gives it
 */
export function truncateAddress(address: string): string {
  const site = siteNetwork(address);
  if (site) return site;
  const [a, b, c] = address.split('.');
  return c === undefined ? '' : `${a}.${b}.${c}.0/24`;
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

type AuditRow = Awaited<ReturnType<typeof recentActivity>>[number];

/** How a detail goes on with the sentence of its kind. */
const DETAILS: Record<string, string> = {
  'login.accepted password': 'with your password',
  'login.accepted passkey': 'with a passkey',
  'login.accepted google': 'with Google',
  'login.accepted github': 'with GitHub',
  'login.accepted verification': 'by verifying your email address',
  'plan.granted Free': 'to Free',
  'plan.granted Basic': 'to Basic',
  'plan.granted Standard': 'to Standard',
  'identity.connected google': 'to Google',
  'identity.connected github': 'to GitHub',
  'identity.disconnected google': 'from Google',
  'identity.disconnected github': 'from GitHub',
  'identity.enabled google': 'with Google',
  'identity.enabled github': 'with GitHub',
  'identity.refused google': 'with Google',
  'identity.refused github': 'with GitHub',
};

/** An event as the wire has it, in words that its owner understands. */
export function presentEvent({ id, kind, at, device, network, detail }: AuditRow): ActivityEvent {
  const more = DETAILS[`${kind} ${detail}`];
  const what = more ? `${EVENT_KINDS[kind]} ${more}` : EVENT_KINDS[kind];
  return { id, kind, what, at: at.toISOString(), device, network };
}

/** Removes what is older than 90 days. */
export async function deleteOldEvents(): Promise<void> {
  await db().delete(auditEvents).where(lt(auditEvents.at, sql`now() - interval '90 days'`));
}
