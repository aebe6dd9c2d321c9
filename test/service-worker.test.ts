import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundleServiceWorker } from '@/scripts/build-service-worker';

it('makes a service worker of at most 16 KiB', async () => {
  expect(gzipSync(await bundleServiceWorker()).length).toBeLessThanOrEqual(16 * 1024);
});
