import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { PROBLEMS } from '@/components/portability/imports/archive-problem';
import { makeUser } from '@/test/factories';
import { openBrowser } from '@/test/import-browser';
import { mp4Clip } from '@/test/media/small-clips';
import { startLocalServices } from '@/test/services';
import { openClips } from './open-clips';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());
afterEach(() => void vi.unstubAllGlobals());

const LIMITS = { bytes: 4_000_000_000, seconds: 7200 };
const VIDEO = new Uint8Array(mp4Clip({}));

async function open(paths: readonly string[], unreadable: readonly string[] = []) {
  openBrowser((await makeUser()).id);
  const files = paths.map((path) => {
    const name = path.split('/').at(-1) ?? '';
    return { path, file: new File([name.endsWith('.zip') ? 'damaged' : VIDEO], name) };
  });
  return openClips({ name: 'Clips', files, unreadable, handles: [] }, LIMITS, new AbortController().signal);
}

it('tells which files of a folder can’t be read, and takes the others', async () => {
  const { clips, refused } = await open(['Clips/a.zip', 'Clips/lake.mp4'], ['Clips/gone.mp4']);
  expect(clips.map(({ file }) => file.path)).toEqual(['Clips/lake.mp4']);
  expect(refused).toEqual([
    { path: 'Clips/gone.mp4', reason: PROBLEMS.unreadable },
    { path: 'Clips/a.zip', reason: PROBLEMS.noZip },
  ]);
});

it('names a damaged ZIP among several, since it may have most of the videos', async () => {
  await expect(open(['takeout-1.zip', 'lake.mp4'])).rejects.toThrow(`takeout-1.zip: ${PROBLEMS.noZip}`);
  await expect(open(['takeout-1.zip'])).rejects.toThrow(PROBLEMS.noZip);
});
