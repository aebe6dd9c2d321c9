import { deviceName } from '@/lib/http/device-name';
import type { SessionSummary } from './contract';
import type { listSessions } from './service';

type Session = Awaited<ReturnType<typeof listSessions>>[number];

/** A session as the wire has it. */
export function presentSession({ userAgent, createdAt, lastSeenAt, ...rest }: Session): SessionSummary {
  return {
    ...rest,
    device: deviceName(userAgent),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  };
}
