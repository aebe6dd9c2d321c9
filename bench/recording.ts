import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot } from '@/local/up/data-dir';
import { findChromium } from '@/test/chromium';
import { startKillableBrowser } from '@/test/killable-browser';
import { decodableSeconds } from '@/test/media/inspect';
import type { Benchmark } from './bench';
import { type Measurement, measurement, median } from './measurements';

const ALLOWED_SECONDS = 2;
/** Seconds into the recording; at different moments of a slice and of a group of pictures. */
export const KILL_AFTER_SECONDS = [1.6, 2.3, 4.9, 6.05, 8.75];
export const STORES = ['IndexedDB', 'OPFS'] as const;
export type Store = (typeof STORES)[number];

/** Milliseconds between slices and, where the recorder is asked for them, between key frames. */
export interface Variant {
  mimeType: string;
  slice: number;
  keyFrames?: number;
  /** What the studio does; the others are measured for the choice, and nothing rests on them. */
  chosen?: boolean;
}

const H264 = 'video/mp4;codecs=avc3.42E01E,opus';
const VP9_MP4 = 'video/mp4;codecs=vp9,opus';
const VP8 = 'video/webm;codecs=vp8,opus';
const VP9 = 'video/webm;codecs=vp9,opus';

const VARIANTS: Variant[] = [
  { mimeType: H264, slice: 1000 },
  { mimeType: H264, slice: 1000, keyFrames: 2000 },
  { mimeType: H264, slice: 1000, keyFrames: 1000 },
  { mimeType: H264, slice: 500, keyFrames: 1000 },
  { mimeType: H264, slice: 250, keyFrames: 1000 },
  { mimeType: H264, slice: 250, keyFrames: 500, chosen: true },
  { mimeType: VP9_MP4, slice: 1000, keyFrames: 1000 },
  { mimeType: VP9_MP4, slice: 250, keyFrames: 500 },
  { mimeType: VP8, slice: 1000 },
  { mimeType: VP8, slice: 500 },
  { mimeType: VP8, slice: 250 },
  { mimeType: VP9, slice: 1000 },
  { mimeType: VP9, slice: 250 },
];

interface Recorder {
  url: string;
  /** What a page has sent last, by store. */
  kept: Map<string, Buffer>;
  close(): void;
}

/** Serves the page that records, and takes what it recovers. */
export async function serveRecorder(): Promise<Recorder> {
  const kept = new Map<string, Buffer>();
  const script = readFileSync(join(projectRoot, 'bench', 'recording-page.js'));
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (request.method === 'PUT') {
      kept.set(path.slice(1), await buffer(request));
      response.end();
    } else if (path === '/script') {
      response.setHeader('content-type', 'text/javascript').end(script);
    } else {
      response.setHeader('content-type', 'text/html').end('<!doctype html><script src="/script"></script>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, kept, close: () => server.close() };
}

/** Records, kills the browser, starts it again on the same profile. @returns the seconds that each store has lost */
async function measureLoss(variant: Variant, after: number, recorder: Recorder, folder: string) {
  const executable = findChromium();
  const profile = mkdtempSync(join(folder, 'profile-'));
  const open = async () => {
    const browser = await startKillableBrowser({ executable, profile });
    const page = await browser.context.newPage();
    await page.goto(recorder.url);
    return { browser, page };
  };
  const first = await open();
  const began: number = await first.page.evaluate(`record(${JSON.stringify(variant)})`);
  await delay(after * 1000 - (Date.now() - began));
  const recorded = ((await first.browser.kill()) - began) / 1000;
  const second = await open();
  await second.page.evaluate('recover()');
  await second.browser.kill();
  const lost = {} as Record<Store, number>;
  for (const store of STORES) {
    const file = join(profile, store);
    writeFileSync(file, recorder.kept.get(store) ?? '');
    lost[store] = recorded - (await decodableSeconds(file));
  }
  rmSync(profile, { recursive: true, force: true });
  return lost;
}

/**
 * The seconds that are missing after SIGKILL to the whole browser while it records 720p: from the recorder's start
 * to the kill, less what can be decoded of what came back. Both stores get the same slices of the same recording.
 */
export const recording: Benchmark = {
  linuxOnly: false,
  async measure({ folder }) {
    const recorder = await serveRecorder();
    const figures: Measurement[] = [];
    try {
      for (const variant of VARIANTS) {
        const losses: Record<Store, number>[] = [];
        for (const after of KILL_AFTER_SECONDS)
          losses.push(await measureLoss(variant, after, recorder, folder));
        const { mimeType, slice, keyFrames, chosen } = variant;
        const frames = keyFrames ? `, key frames ${keyFrames}` : '';
        for (const store of STORES) {
          const lost = losses.map((loss) => loss[store]);
          const name = `${mimeType.replace('codecs=', '')}, slices ${slice}${frames} ms, ${store}`;
          const of = { unit: 's', limit: ALLOWED_SECONDS, bar: chosen && store === 'IndexedDB' ? 1 : 10 };
          figures.push(
            measurement(`most lost: ${name}`, { ...of, ours: Math.max(...lost) }),
            measurement(`typically: ${name}`, { ...of, ours: median(lost) }),
          );
        }
      }
    } finally {
      recorder.close();
    }
    return figures;
  },
};
