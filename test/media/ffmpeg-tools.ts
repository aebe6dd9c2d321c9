import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type FfmpegTool, locateFfmpeg, locateWasm } from '@/lib/video/media/locate-ffmpeg';
import { clipFolder } from './encode';

/** The machine's own ffmpeg, which the clips are made with too. */
export async function nativeTool(): Promise<FfmpegTool> {
  const tool = await locateFfmpeg({});
  if (tool?.kind !== 'native') throw new Error('These tests need ffmpeg on PATH.');
  return tool;
}

/** @ffmpeg/core, or null where npm has left it out. */
export function wasmTool(): Promise<FfmpegTool | null> {
  return locateWasm('auto');
}

/** A fresh folder for what a test makes, removed with the clips. */
export function workFolder(): string {
  return mkdtempSync(join(clipFolder(), 'work-'));
}
