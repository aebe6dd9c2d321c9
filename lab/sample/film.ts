import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Clip } from './clip';
import { CLIPS } from './clips';
import { FRAME_RATE, facesFor } from './expressions';
import { drawHead, drawRoom, drawShoulders, headPlace } from './picture';
import { joinVoice, readVoice, toWav } from './voice';

/** In radians: a slow sway, and a quicker one on top of it. */
const SWAY = '0.017*sin(2*PI*t/5.3)+0.009*sin(2*PI*t/2.3+1)';

interface FilmOptions {
  /** The program's path. */
  ffmpeg: string;
  /** In pixels; the height follows. */
  width: number;
  /** x264's quality: lower is better and larger. */
  crf: number;
  preset: string;
}

/** Returns PNGs one after the other, the head of every frame. Each different one is drawn once. */
async function drawHeads(clip: Clip, faces: ReturnType<typeof facesFor>, width: number): Promise<Buffer> {
  const drawn = new Map<string, Uint8Array>();
  for (const face of faces) {
    const name = `${face.mouth} ${face.eyes}`;
    if (!drawn.has(name)) drawn.set(name, await drawHead(clip.scene, width, face));
  }
  return Buffer.concat(faces.map(({ mouth, eyes }) => drawn.get(`${mouth} ${eyes}`) ?? new Uint8Array()));
}

/**
 * Makes a clip's video: a drawn person whose mouth follows the voice. H.264 and AAC in an MP4 with its index first, as
 * browsers play it.
 * @param output the file's path
 * @returns how long it is, in seconds
 * @throws Error if ffmpeg fails
 */
export async function filmClip(clip: Clip, output: string, options: FilmOptions): Promise<number> {
  const { ffmpeg, width, crf, preset } = options;
  const folder = await mkdtemp(join(tmpdir(), 'daylight-sample-'));
  const file = (name: string) => join(folder, name);
  try {
    const voice = joinVoice(await readVoice(ffmpeg, clip));
    const faces = facesFor(voice, CLIPS.indexOf(clip) + 1);
    const heads = await drawHeads(clip, faces, width);
    const { left, top } = headPlace(width);
    await Promise.all([
      writeFile(file('voice.wav'), toWav(voice)),
      writeFile(file('heads.png'), heads),
      writeFile(file('room.png'), await drawRoom(clip.scene, width)),
      writeFile(file('shoulders.png'), await drawShoulders(clip.scene, width)),
    ]);
    await promisify(execFile)(ffmpeg, [
      ...['-nostdin', '-loglevel', 'error', '-y'],
      ...['-i', file('room.png')],
      ...['-f', 'png_pipe', '-framerate', String(FRAME_RATE), '-i', file('heads.png')],
      ...['-i', file('shoulders.png'), '-i', file('voice.wav')],
      '-filter_complex',
      [
        `[1:v]format=rgba,rotate=a='${SWAY}':c=none:bilinear=1[head]`,
        `[0:v]format=gbrp,loop=-1:1:0,fps=${FRAME_RATE}[room]`,
        `[room][head]overlay=${left}:${top}:format=gbrp:shortest=1[behind]`,
        '[behind][2:v]overlay=0:0:format=gbrp[whole]',
        '[whole]scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,setsar=1[picture]',
      ].join(';'),
      ...['-map', '[picture]', '-map', '3:a'],
      ...['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), '-tune', 'animation'],
      ...[
        '-g',
        String(FRAME_RATE * 4),
        '-colorspace',
        'bt709',
        '-color_primaries',
        'bt709',
        '-color_trc',
        'bt709',
      ],
      ...[
        '-c:a',
        'aac',
        '-b:a',
        '64k',
        '-movflags',
        '+faststart',
        '-map_metadata',
        '-1',
        '-fflags',
        '+bitexact',
      ],
      ...['-f', 'mp4', output],
    ]);
    return faces.length / FRAME_RATE;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Saves a frame in which the person speaks as a JPEG. @param ffmpeg the program's path @param at in seconds */
export async function saveFrame(ffmpeg: string, video: string, output: string, at: number): Promise<void> {
  await promisify(execFile)(ffmpeg, [
    ...['-nostdin', '-loglevel', 'error', '-y', '-ss', String(at), '-i', video, '-frames:v', '1'],
    ...['-c:v', 'mjpeg', '-q:v', '4', '-flags', '+bitexact', output],
  ]);
}
