import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { log } from '@/lib/foundation/log';
import { activeTelemetry } from '@/lib/foundation/telemetry/active';
import { queuedEmails, useFreshDatabase } from '@/test/app-database';
import { type OtlpSink, startOtlpSink } from '@/test/otlp-sink';
import { canMount, mountSmallDisk } from '@/test/small-disk';
import { checkDisk, sendDiskWarning } from './disk';
import { checkHealth } from './service';
import { startTelemetry } from './telemetry';

describe.skipIf(!canMount)('a disk', () => {
  let disk: Awaited<ReturnType<typeof mountSmallDisk>>;
  let sink: OtlpSink;
  let takeDown: () => Promise<void>;

  beforeAll(async () => {
    disk = await mountSmallDisk();
    const folders = [disk.folder, '/nowhere/at-all', `${disk.folder}/nested`].join(', ');
    sink = await startOtlpSink();
    takeDown = await useFreshDatabase({
      settings: {
        DISK_FOLDERS: folders,
        OPERATOR_EMAIL: 'root@example.com',
        OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      },
    });
  });
  afterAll(async () => {
    await takeDown();
    await sink.stop();
    await disk.unmount();
  });
  beforeEach(() => void vi.stubEnv('TMPDIR', `${disk.folder}/nested`));
  afterEach(() => {
    vi.unstubAllEnvs();
    disk.empty();
  });

  it('is one line for all of its folders, and a folder that’s missing is a problem', async () => {
    const { problems, facts, notes } = await checkDisk();
    expect(problems).toEqual([
      expect.stringMatching(/^The folder \/nowhere\/at-all in DISK_FOLDERS doesn’t exist/),
    ]);
    expect(facts).toEqual([`${disk.folder} and ${disk.folder}/nested (in memory): 4 MB free, 100%.`]);
    expect(notes).not.toContainEqual(expect.stringContaining('almost full'));
  });

  it('is almost full with less than 10% free', async () => {
    disk.fill();
    const { facts = [], notes = [] } = await checkDisk();
    expect(notes).toContainEqual(
      expect.stringMatching(
        /^The disk of \S+ and \S+\/nested is almost full: [\d.]+ kB is free, [45]%\. Delete what you no longer/,
      ),
    );
    expect(facts).toEqual([]);
  });

  it('that jobs work on has to fit the largest upload, and isn’t in memory at best', async () => {
    expect((await checkDisk()).notes).toContain(
      `There’s 4 MB free in ${disk.folder}/nested, which is in memory, and preparing the largest video that’s allowed (4 GB) takes up to 12 GB. Set TMPDIR to a folder on a disk, such as /var/tmp.`,
    );
  });

  it('warns in the health check’s answer and in the log, once, and changes no status', async () => {
    const told = vi.spyOn(log, 'warn');
    const recovered = vi.spyOn(log, 'info');
    const before = await checkHealth();
    expect(before).not.toHaveProperty('warnings');
    disk.fill();
    await expect.poll(() => checkHealth(), { timeout: 30_000 }).toEqual({ ...before, warnings: ['disk'] });
    const lines = told.mock.calls.filter(([fields]) =>
      isDeepStrictEqual(fields, { event: 'health.disk_low' }),
    );
    expect(lines.map(([, line]) => line)).toEqual([
      expect.stringMatching(/^health: The disk of .* is almost full/),
    ]);
    disk.empty();
    await expect.poll(() => checkHealth(), { timeout: 30_000 }).toEqual(before);
    expect(recovered).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'health.disk_recovered' }),
      expect.anything(),
    );
  });

  it('is exported as a metric', async () => {
    disk.fill();
    await startTelemetry({ isServer: false });
    await activeTelemetry()?.flush();
    const [{ value, attributes } = {}] = sink.points('daylight.disk.free.share');
    expect([value, attributes]).toEqual([expect.closeTo(0.05, 1), { 'daylight.folder': disk.folder }]);
  });

  it('is reported to the operator by email, once a day while it’s almost full', async () => {
    await sendDiskWarning();
    expect(await queuedEmails()).toEqual([]);
    disk.fill();
    await Promise.all(Array.from({ length: 5 }, () => sendDiskWarning()));
    await sendDiskWarning();
    const [mail, ...others] = await queuedEmails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      to: 'root@example.com',
      subject: 'A disk of localhost:3000 is almost full',
    });
    expect(mail?.text.replace(/\s+/g, ' ')).toMatch(/nested \(in memory\): [\d.]+ kB free, [45]%\./);

    await db()
      .update(rateLimits)
      .set({ expire: Date.now() - 1 });
    await sendDiskWarning();
    expect(await queuedEmails()).toHaveLength(2);
  });
});
