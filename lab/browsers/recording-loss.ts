import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '@/lab/bench/measurements';
import { decodableSeconds } from '@/test/media/inspect';
import type { Engine } from './page';
import { serveRecorder } from './recorder';

/** Seconds into the recording; at different moments of a slice and of a group of pictures. */
const KILL_AFTER_SECONDS = [1.6, 2.3, 4.9, 6.05, 8.75];
const STORES = ['IndexedDB', 'OPFS'] as const;
type Store = (typeof STORES)[number];

/** Milliseconds between slices and, where the recorder is asked for them, between key frames. */
interface Variant {
  mimeType: string;
  slice: number;
  keyFrames?: number;
}

const VARIANTS: Variant[] = [
  // What the studio asks Chromium for.
  { mimeType: 'video/mp4;codecs=avc3.42E01E,opus', slice: 250, keyFrames: 500 },
  ...['video/webm;codecs=vp8,opus', 'video/mp4;codecs=avc1.42E01E,mp4a.40.2'].flatMap((mimeType) =>
    [1000, 250].map((slice) => ({ mimeType, slice })),
  ),
];

/** Calls a function that the page's own script made global. */
const callPage = async (name: string, variant?: Variant): Promise<number> =>
  Reflect.get(window, name)(variant);

async function measure(engine: Engine, variant: Variant, after: number): Promise<Record<Store, number>> {
  const recorder = await serveRecorder();
  const profile = mkdtempSync(join(tmpdir(), 'daylight-browser-'));
  const session = await engine.open(profile, recorder.url);
  try {
    const page = await session.newPage();
    await page.goto('/');
    const began = await page.evaluate(callPage, 'record', variant);
    await delay(after * 1000 - (Date.now() - began));
    const recorded = ((await session.crash()) - began) / 1000;
    const next = await session.newPage();
    await next.goto('/');
    await next.evaluate(callPage, 'recover');
    const lost = {} as Record<Store, number>;
    for (const store of STORES) {
      const file = join(profile, `recovered-${store}`);
      writeFileSync(file, recorder.kept.get(store) ?? '');
      lost[store] = recorded - (await decodableSeconds(file));
    }
    return lost;
  } finally {
    await session.close().catch(() => {});
    recorder.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Prints the seconds that are missing after SIGKILL to a browser that records 720p: from the recorder's start to the kill,
 * less what can be decoded of what came back. Both stores get the same slices of the same recording. A format that the
 * browser doesn't record is a row that says so.
 */
export async function printRecordingLoss(engine: Engine): Promise<void> {
  console.log(
    `\n${engine.name}\n\n| format | slices, ms | store | most lost, s | median, s |\n| --- | --- | --- | --- | --- |`,
  );
  for (const variant of VARIANTS) {
    const losses: Record<Store, number>[] = [];
    try {
      for (const after of KILL_AFTER_SECONDS) losses.push(await measure(engine, variant, after));
    } catch (error) {
      console.log(
        `| ${variant.mimeType} | ${variant.slice} | ${(error as Error).message.split('\n')[0]} | – | – |`,
      );
      continue;
    }
    for (const store of STORES) {
      const lost = losses.map((loss) => loss[store]);
      const figures = [Math.max(...lost), median(lost)].map((seconds) => seconds.toFixed(2));
      console.log(`| ${variant.mimeType} | ${variant.slice} | ${store} | ${figures.join(' | ')} |`);
    }
  }
}
