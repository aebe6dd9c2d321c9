import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { outbox } from '@/db/schema/outbox';
import { activeTelemetry, setTelemetry } from '@/lib/foundation/telemetry/active';
import { useFreshDatabase } from '@/test/app-database';
import { type OtlpSink, startOtlpSink } from '@/test/otlp-sink';
import { startTelemetry } from './telemetry';

let sink: OtlpSink;
let takeDown: () => Promise<void>;
beforeAll(async () => {
  sink = await startOtlpSink();
  takeDown = await useFreshDatabase({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url } });
  await startTelemetry({ isServer: false });
});
afterAll(async () => {
  setTelemetry(undefined);
  await takeDown();
  await sink.stop();
});

/** Exports once, and returns a metric's new values by an attribute, or alone. */
async function exported(name: string, attribute = ''): Promise<Record<string, number>> {
  const before = sink.points(name).length;
  await activeTelemetry()?.flush();
  const points = sink.points(name).slice(before);
  return Object.fromEntries(points.map(({ value, attributes }) => [attributes[attribute] ?? '', value]));
}

const ago = (seconds: number) => sql`now() - make_interval(secs => ${seconds})`;

it('reports how long what’s to be sent has waited: since it was due, or since it was written if that failed', async () => {
  const ages = () => exported('daylight.outbox.age', 'daylight.kind');
  expect(await ages()).toEqual({ event: 0, mail: 0 });
  const row = { payload: 'sealed', attempts: 0, dueAt: ago(100), createdAt: ago(500) };
  await db()
    .insert(outbox)
    .values([
      { ...row, id: 'due', kind: 'mail' },
      { ...row, id: 'due since', kind: 'mail', dueAt: ago(50) },
      { ...row, id: 'rejected', kind: 'mail', dead: true, dueAt: ago(9000) },
      { ...row, id: 'later', kind: 'event', dueAt: ago(-900), createdAt: ago(800) },
    ]);
  const { mail = 0, event } = await ages();
  expect(event).toBe(0);
  expect(mail).toBeGreaterThan(99);
  expect(mail).toBeLessThan(400);
  const failed = { ...row, id: 'failed', kind: 'event' as const, attempts: 1, dueAt: ago(-60) };
  await db().insert(outbox).values(failed);
  expect((await ages()).event).toBeGreaterThan(499);
});

it('reports what a service has rejected, disks, and the health of each part', async () => {
  await db().insert(outbox).values({ id: 'rejected too', kind: 'event', payload: '', dead: true });
  expect(await exported('daylight.outbox.rejected')).toEqual({ '': 2 });
  const disks = Object.values(await exported('daylight.disk.free.share', 'daylight.folder'));
  expect(disks.length).toBeGreaterThan(0);
  expect(disks.filter((share) => share < 0 || share > 1)).toEqual([]);
  expect(await exported('daylight.health', 'daylight.check')).toMatchObject({ database: 1, storage: 0 });
});
