import { tmpdir } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { findMissingFiles } from './files';

afterEach(() => vi.restoreAllMocks());

it('finds what the engine needs in the project, and says what isn’t there', async () => {
  expect(await findMissingFiles()).toEqual([]);
  vi.spyOn(process, 'cwd').mockReturnValue(tmpdir());
  expect(await findMissingFiles()).toEqual(
    expect.arrayContaining(['build/speech/worker.mjs', 'node_modules/soundswallower/model/en-us/mdef']),
  );
});
