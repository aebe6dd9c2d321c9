import type { Locator, Page } from '@playwright/test';
import type postgres from 'postgres';
import { getStoryboard } from '@/lib/video/previews/contract';
import { cached, encode } from '@/test/media/encode';
import type { Client } from '../client';
import { expect } from '../fixtures';

export const SECONDS = 30;

/** A picture that changes, with a tone in its first six seconds. */
export const clip = () =>
  cached('half-a-minute.mp4', (path) =>
    encode(
      [
        ...['-f', 'lavfi', '-t', String(SECONDS), '-i', 'testsrc2=size=320x180:rate=15'],
        ...['-f', 'lavfi', '-t', String(SECONDS), '-i', 'aevalsrc=0.3*sin(2764*t)*lt(t\\,6):s=16000'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '30', '-c:a', 'aac'],
      ],
      path,
    ),
  );

export const seekBar = (page: Page) => page.getByRole('slider', { name: 'Time' });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const controls = (page: Page) => page.getByRole('group', { name: 'Player', exact: true });

export const stateOf = (video: Locator) =>
  video.evaluate(({ currentTime, paused, muted, volume, playbackRate, readyState }: HTMLVideoElement) => ({
    time: currentTime,
    paused,
    muted,
    volume,
    speed: playbackRate,
    readyState,
  }));
export const timeOf = async (video: Locator) => (await stateOf(video)).time;

/** Opens an entry, and waits until its video has a length to seek in. */
export async function openPlayer(page: Page, address: string): Promise<Locator> {
  await page.goto(address);
  const video = page.locator('video');
  await expect.poll(async () => (await stateOf(video)).readyState).toBeGreaterThan(0);
  return video;
}

/** Waits for what is made after a video can be watched. */
export async function waitForPreviews(api: Client, sql: postgres.Sql, id: string): Promise<void> {
  await expect
    .poll(async () => (await api.sendOperation(getStoryboard, { params: { id } })).status)
    .toBe(307);
  const waveforms = () => sql`select 1 from previews where entry_id = ${id} and waveform is not null`;
  await expect.poll(async () => (await waveforms()).length).toBe(1);
}

/** The place of a share of the time bar's width. */
export async function pointOnSeekBar(page: Page, share: number): Promise<{ x: number; y: number }> {
  const box = await seekBar(page).boundingBox();
  if (!box) throw new Error('There is no time bar.');
  return { x: box.x + box.width * share, y: box.y + box.height / 2 };
}
