import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { processReports } from '@/db/schema/jobs';
import { planDetails } from '@/lib/billing/plans/service';
import { describeLimits } from '@/lib/billing/plans/shared/file-limits';
import { jobLimits } from '@/lib/video/processing/job-limits';
import { reportMedia } from '@/lib/video/processing/process-reports';
import { codeOf } from '@/test/error-code';
import { makeUser } from '@/test/factories';
import { request as partsRequest, sums } from '@/test/multipart-fixtures';
import { startLocalServices } from '@/test/services';
import { reservationRequest } from '@/test/upload-fixtures';
import { PART_BYTES, presignedUrl } from './contract';
import { signParts } from './multipart';
import { openUpload, reserveUpload, uploadLimits } from './service';

const MAX_BYTES = 150_000_000;
const TOO_LARGE =
  'This file is too large. Videos can be up to 150 MB. Compress it, or split it into shorter videos.';
const TOO_LONG = 'This video is too long. Videos can be up to 2.25 minutes. Split it into shorter videos.';
const NATIVE = { ffmpeg: 'ffmpeg 7', kind: 'native', speed: 1 } as const;
const WASM = { ffmpeg: 'ffmpeg as WebAssembly', kind: 'wasm', speed: 1 } as const;

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  process.env.SERVERLESS = '1';
  services = await startLocalServices();
});
afterAll(() => services.end());
beforeEach(() => reportMedia(NATIVE));

describe('where jobs run in functions', () => {
  it.each([
    [
      'by form',
      (userId: string, size: number, duration?: number) =>
        reserveUpload(userId, { ...reservationRequest(size), duration }),
    ],
    [
      'in parts',
      (userId: string, size: number, duration?: number) =>
        openUpload(userId, { ...partsRequest(size), duration }),
    ],
  ])('refuses what they can’t process before it’s sent, %s', async (_, open) => {
    const { id } = await makeUser();
    await expect(open(id, MAX_BYTES + 1)).rejects.toMatchObject({ code: 'too_large', message: TOO_LARGE });
    await expect(open(id, 5, 135.1)).rejects.toMatchObject({ code: 'too_large', message: TOO_LONG });
    expect((await planDetails(id)).videoCount).toBe(0);
    expect(await codeOf(open(id, MAX_BYTES, 135))).toBe('ok');
  });

  it('reserves no more than they can process when the size is not known', async () => {
    const { id } = await makeUser();
    const { metadata } = await reserveUpload(id, reservationRequest());
    const [entry] = await db().select().from(entries).where(eq(entries.id, metadata.entryId));
    expect(entry?.bytes).toBe(MAX_BYTES);
  });

  it('lets a recording grow no further', async () => {
    const { id } = await makeUser();
    const { entryId } = await openUpload(id, partsRequest());
    const part = (number: number) => ({ parts: [{ number, size: PART_BYTES, md5: sums[0] }] });
    const last = Math.floor(MAX_BYTES / PART_BYTES);
    expect(await codeOf(signParts(id, entryId, part(last)))).toBe('ok');
    await expect(signParts(id, entryId, part(last + 1))).rejects.toMatchObject({ message: TOO_LARGE });
  });

  it('says so in a sentence', async () => {
    expect(describeLimits(await uploadLimits())).toBe('Videos can be up to 2.25 minutes long and 150 MB.');
  });
});

describe('what jobs can process', () => {
  const given = { JOBS: 'serve', SERVERLESS: true } as const;
  const nothing = { bytes: Number.POSITIVE_INFINITY, seconds: null };

  it('is unlimited with workers, and on hosts that live long', async () => {
    expect(await jobLimits({ ...given, JOBS: 'worker' })).toEqual(nothing);
    expect(await jobLimits({ ...given, SERVERLESS: false })).toEqual(nothing);
  });

  it('follows from the ffmpeg that the jobs have, and from the time that a step has', async () => {
    const secondsOf = async (settings = {}) => (await jobLimits({ ...given, ...settings })).seconds;
    const long = { JOB_STEP_SECONDS: 780 };
    expect([await secondsOf(), await secondsOf(long)]).toEqual([135, 375]);
    await reportMedia({ ...NATIVE, speed: 2 });
    expect(await secondsOf()).toBe(270);
    await reportMedia(WASM);
    expect([await secondsOf(), await secondsOf(long)]).toEqual([30, 90]);
  });

  it('takes ffmpeg for the slow one until a job has said which it has', async () => {
    await reportMedia(WASM);
    const slow = await jobLimits(given);
    await db().delete(processReports);
    expect(await jobLimits(given)).toEqual(slow);
  });

  it('is what’s set', async () => {
    const limits = { JOB_MAX_BYTES: 1_500_000_000, JOB_MAX_SECONDS: 3600 };
    for (const SERVERLESS of [true, false]) {
      expect(await jobLimits({ ...given, SERVERLESS, ...limits })).toEqual({
        bytes: 1_500_000_000,
        seconds: 3600,
      });
    }
    expect(describeLimits({ bytes: 1_500_000_000, seconds: 3600 })).toBe(
      'Videos can be up to 1 hour long and 1.5 GB.',
    );
  });
});

it('takes a length in seconds, and nothing else', () => {
  const query = { ...reservationRequest(5), journal_date: '2026-01-15' };
  expect(presignedUrl.query?.safeParse({ ...query, duration: '12.5' }).data).toMatchObject({
    duration: 12.5,
  });
  for (const duration of ['long', '0', '-1', 'Infinity']) {
    expect([duration, presignedUrl.query?.safeParse({ ...query, duration }).success]).toEqual([
      duration,
      false,
    ]);
  }
});
