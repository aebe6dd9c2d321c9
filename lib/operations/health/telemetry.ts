import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { env } from '@/lib/foundation/env';
import { activeTelemetry, type Telemetry } from '@/lib/foundation/telemetry/active';
import { secondsOfSilence } from '@/lib/video/processing/watchdog';
import { version } from '@/package.json';
import { readDisks } from './disk';
import { checkHealth } from './service';

/** Reports how long the queues in the database have been waiting, how full disks are, and what /api/health checks. */
function observeState({ observe }: Telemetry): void {
  observe('daylight.outbox.age', async () => {
    const rows = await db().execute<{ kind: string; age: number }>(sql`
      select kinds.kind, coalesce(extract(epoch from now() - min(
        case when outbox.attempts > 0 then outbox.created_at else outbox.due_at end)), 0)::float8 as age
      from unnest(array['event', 'mail']) as kinds (kind)
      left join outbox on outbox.kind = kinds.kind and not outbox.dead
        and (outbox.due_at <= now() or outbox.attempts > 0)
      group by kinds.kind`);
    return rows.map(({ kind, age }) => [age, { 'daylight.kind': kind }]);
  });
  observe('daylight.outbox.rejected', async () => {
    const [row] = await db().execute<{ count: number }>(
      sql`select count(*)::int as count from outbox where dead`,
    );
    return [[row?.count ?? 0]];
  });
  observe('daylight.uploads.waiting.age', async () => [[await secondsOfSilence()]]);
  observe('daylight.disk.free.share', async () =>
    (await readDisks()).map(({ folders: [folder], freeShare }) => [freeShare, { 'daylight.folder': folder }]),
  );
  observe('daylight.health', async () => {
    const { checks } = await checkHealth();
    return Object.entries(checks).map(([check, outcome]) => [
      outcome === 'ok' ? 1 : 0,
      { 'daylight.check': check },
    ]);
  });
}

/**
 * Starts to collect and export traces and metrics if OTEL_EXPORTER_OTLP_ENDPOINT is set. Otherwise loads nothing.
 * @param options.isServer whether this process answers requests
 */
export async function startTelemetry({ isServer }: { isServer: boolean }): Promise<void> {
  if (!env().OTEL_EXPORTER_OTLP_ENDPOINT || activeTelemetry()) return;
  (await import('@/lib/foundation/telemetry/sdk')).startSdk(env(), { version, isServer });
  const telemetry = activeTelemetry();
  if (telemetry) observeState(telemetry);
}
