import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { projectRoot } from '@/local/up/data-dir';

it('is little code, since it loads before anybody chooses a file', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(projectRoot, 'components/capture/uploads/video-file/refusal.ts')],
    ...{ bundle: true, minify: true, write: false, format: 'esm' },
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  expect(contents.length).toBeGreaterThan(1000);
  expect(contents.length).toBeLessThan(40_000);
});
