import type { ActivityEvent } from './contract';
import { EVENT_KINDS } from './event-kinds';
import type { recentActivity } from './service';

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
