import { deviceName } from '@/lib/foundation/http/device-name';
import type { SessionSummary } from './contract';
import type { listSessions } from './service';

type Session = Awaited<ReturnType<typeof listSessions>>[number];

/** Returns a session as the API returns it. */
export function presentSession({ userAgent, createdAt, lastSeenAt, ...rest }: Session): SessionSummary {
  return {
    ...rest,
    device: deviceName(userAgent),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  };
}
