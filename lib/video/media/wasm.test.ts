import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as clips from '@/test/media/clips';
import { corpusClip } from '@/test/media/corpus/clips';
import { seePatches } from '@/test/media/corpus/inspect-pattern';
import { nativeTool, wasmTool, workFolder } from '@/test/media/ffmpeg-tools';
import { decodingErrors, inspectMedia, meanLuma } from '@/test/media/inspect';
import { extractSpeechAudio } from './audio';
import { toneMapOf } from './color';
import { runFfmpeg } from './ffmpeg';
import { probe } from './probe';
import { makeRendition } from './rendition';
import { noSandbox } from './sandbox';
import { makeThumbnail } from './thumbnail';

const wasm = await wasmTool();

describe.runIf(wasm)('ffmpeg as WebAssembly', () => {
  const absent = { kind: 'wasm', ffmpeg: '', ffprobe: null, describe: '', sandbox: noSandbox('') } as const;
  const tool = wasm ?? absent;

  it('probes as the native one does', async () => {
    const native = await nativeTool();
    for (const clip of [clips.h264Mp4, clips.vp8Webm, clips.rotatedMp4]) {
      const path = await clip();
      const expected = await probe(native, path);
      const found = await probe(tool, path);
      expect(found.durationSeconds).toBeCloseTo(expected.durationSeconds, 2);
      expect({ ...found, durationSeconds: 0 }).toEqual({ ...expected, durationSeconds: 0 });
    }
  });

  it.each([
    ['h264Mp4', clips.h264Mp4, 'keep'],
    ['indexLastMp4', clips.indexLastMp4, 'copy'],
    ['vp8Webm', clips.vp8Webm, 'transcode'],
  ] as const)('makes %s playable', async (_, clip, plan) => {
    const input = await clip();
    const output = join(workFolder(), 'out.mp4');
    const source = await probe(tool, input);
    expect(await makeRendition({ tool, input, source }, output, 55)).toMatchObject({ plan });
    expect((await inspectMedia(output)).streams).toMatchObject([
      { codec_name: 'h264' },
      { codec_name: 'aac' },
    ]);
    expect(await decodingErrors(output)).toBe('');
  });

  it('takes a picture and the sound', async () => {
    const input = await clips.h264Mp4();
    const folder = workFolder();
    const source = await probe(tool, input);
    const picture = join(folder, 'thumbnail.jpg');
    await makeThumbnail({ tool, input, source }, picture);
    expect(await meanLuma(picture)).toBeGreaterThan(60);
    const { parts, silent } = await extractSpeechAudio({ tool, input, source }, folder, 'compressed');
    expect(silent).toBe(false);
    const { streams } = await inspectMedia(parts[0]?.path ?? '');
    expect(streams).toMatchObject([{ codec_name: 'opus', channels: 1 }]);
  });

  it('maps HDR as the native one does', async () => {
    const input = await corpusClip('hevc-hlg_aac.mp4');
    const source = await probe(tool, input);
    expect(toneMapOf(source.video)).toBe('hlg');
    const [native, folder] = [await nativeTool(), workFolder()];
    const pictures = [join(folder, 'wasm.jpg'), join(folder, 'native.jpg')] as const;
    await makeThumbnail({ tool, input, source }, pictures[0]);
    await makeThumbnail({ tool: native, input, source }, pictures[1]);
    const [made, expected] = [await seePatches(pictures[0]), await seePatches(pictures[1])];
    expect(made).toHaveLength(9);
    const off = made.flatMap((patch, index) =>
      patch.map((value, channel) => Math.abs(value - (expected[index]?.[channel] ?? 999))),
    );
    expect(Math.max(...off)).toBeLessThan(3);
  });

  it('is killed when time is up', async () => {
    const input = { path: await clips.vp9Webm() };
    const args = ['-vf', 'loop=-1:1', '-f', 'null', '-'];
    const run = { kind: 'ffmpeg', input, args, maxSeconds: 2, cwd: workFolder() } as const;
    expect(await runFfmpeg(tool, run)).toMatchObject({ timedOut: true, code: null });
  });
});
