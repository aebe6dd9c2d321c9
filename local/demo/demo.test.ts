import { writeFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { getEntry, listEntries, mediaAddress } from '@/lib/journal/entries/service';
import { readDate } from '@/lib/journal/entries/shared/calendar';
import { onThisDay } from '@/lib/journal/memories/service';
import { previewsOf, storyboardAddress } from '@/lib/video/previews/service';
import { searchEntries } from '@/test/entry-fixtures';
import { decodingErrors, inspectMedia } from '@/test/media/inspect';
import { startLocalServices } from '@/test/services';
import { compare } from '@/test/stored-entries';
import { makeDemoJournal } from './demo';
import { demoDates } from './demo-dates';

const demo = {
  email: 'demo@daylight.local',
  password: 'demo-password',
  today: '2026-03-01',
  entries: 4,
  clips: ['forty-winters', 'dad-reads'],
};

let services: Awaited<ReturnType<typeof startLocalServices>>;
let userId: string;

beforeAll(async () => {
  services = await startLocalServices();
  expect(await makeDemoJournal(demo)).toBe(true);
  const [user] = await db().select({ id: users.id }).from(users).where(eq(users.email, demo.email));
  userId = user?.id ?? '';
});
afterAll(() => services.end());

/** Downloads a file as a browser does. @returns its path */
async function download(url: string, name: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  const file = services.folder(name);
  await writeFile(file, Buffer.from(await response.arrayBuffer()));
  return file;
}

const newest = async () => (await listEntries(userId, { limit: 1 })).entries[0]?.id ?? '';

it('makes entries that play, with pictures', async () => {
  const id = await newest();
  const video = await download((await mediaAddress(userId, id, 'video')).url, 'demo.mp4');
  expect((await inspectMedia(video)).streams.map(({ codec_name }) => codec_name).sort()).toEqual([
    'aac',
    'h264',
  ]);
  expect(await decodingErrors(video)).toBe('');
  const thumbnail = await download((await mediaAddress(userId, id, 'thumbnail')).url, 'thumbnail.jpg');
  expect((await inspectMedia(thumbnail)).streams[0]).toMatchObject({ width: 640, height: 360 });
  const { storyboard, waveform } = await previewsOf(userId, id);
  const board = await download((await storyboardAddress(userId, id)).url, 'storyboard.jpg');
  const columns = storyboard?.columns ?? 0;
  expect((await inspectMedia(board)).streams[0]?.width).toBe(columns * (storyboard?.width ?? 0));
  expect(Math.max(...Buffer.from(waveform ?? '', 'base64'))).toBe(255);
});

it('finds what is said at the second it is said', async () => {
  const { transcription } = await getEntry(userId, await newest());
  const word = transcription.words.find((one) => one.word === 'trenches');
  const found = (await searchEntries(userId, 'trenches'))[0];
  expect(found?.matches).toHaveLength(1);
  const at = found?.matches[0]?.start_time ?? 0;
  expect(at).toBeLessThanOrEqual(word?.start_time ?? 0);
  expect(at).toBeGreaterThan((word?.start_time ?? 0) - 5);
});

it('leaves nothing for the jobs or an operator to repair', async () => {
  expect(await compare({ isThorough: true })).toEqual({});
});

it('has tags, notes, and memories of today', async () => {
  const { entries: listed } = await listEntries(userId, { limit: 50 });
  expect(listed.every(({ tags, thumbnail }) => tags.length > 0 && thumbnail !== '')).toBe(true);
  expect(new Set(listed.map(({ title }) => title)).size).toBeGreaterThan(4);
  expect((await getEntry(userId, listed[0]?.id ?? '')).notes).toHaveLength(1);
  expect((await onThisDay(userId, readDate(demo.today))).length).toBe(3);
});

it('makes nothing a second time', async () => {
  expect(await makeDemoJournal(demo)).toBe(false);
});

describe('the days of a demo', () => {
  it('end today, are in order, and differ', () => {
    const dates = demoDates('2028-02-29', 40);
    expect(dates.slice(0, 3)).toEqual(['2028-02-29', '2028-02-28', '2028-02-27']);
    expect(dates).toEqual([...new Set(dates)].sort().reverse());
    expect(dates.filter((date) => date > '2027-02-28')).toHaveLength(40);
  });

  it('include this day in earlier years, and February 28 for a leap day', () => {
    expect(demoDates('2026-11-25', 40)).toEqual(
      expect.arrayContaining(['2025-11-25', '2024-11-25', '2022-11-25']),
    );
    expect(demoDates('2028-02-29', 40)).toEqual(
      expect.arrayContaining(['2027-02-28', '2026-02-28', '2024-02-29']),
    );
  });
});
