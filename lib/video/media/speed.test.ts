import { describe, expect, it } from 'vitest';
import { nativeTool, wasmTool, workFolder } from '@/test/media/ffmpeg-tools';
import { measureSpeed } from './speed';

const native = await nativeTool();
const wasm = await wasmTool();

describe('measureSpeed', () => {
  // On any machine: a factor of 4 is the most that's believed.
  it('returns a factor that limits can be computed with', async () => {
    const speed = await measureSpeed(native, workFolder());
    expect(speed).toBeGreaterThanOrEqual(0.25);
    expect(speed).toBeLessThanOrEqual(4);
  });

  it.runIf(wasm)('measures ffmpeg as WebAssembly too', async () => {
    if (!wasm) return;
    const speed = await measureSpeed(wasm, workFolder());
    expect(speed).toBeGreaterThanOrEqual(0.25);
    expect(speed).toBeLessThanOrEqual(4);
  });

  it('fails where there’s no ffmpeg', async () => {
    const missing = { ...native, ffmpeg: '/nonexistent/ffmpeg' };
    await expect(measureSpeed(missing, workFolder())).rejects.toMatchObject({ kind: 'no_ffmpeg' });
  });
});
