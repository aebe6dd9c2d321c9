import { readFile, writeFile } from 'node:fs/promises';
import { writeWithMatrix } from './display-matrix';
import { cached, encode, encodeLive } from './encode';

/** How long every clip lasts, where its maker does not say otherwise. */
export const CLIP_SECONDS = 4;

function testPattern(size = '320x180', rate = 30, seconds = CLIP_SECONDS): string[] {
  return ['-f', 'lavfi', '-t', String(seconds), '-i', `testsrc2=size=${size}:rate=${rate}`];
}

const TONE = ['-f', 'lavfi', '-t', String(CLIP_SECONDS), '-i', 'sine=frequency=440:sample_rate=48000'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '30'];
const AAC = ['-c:a', 'aac', '-b:a', '64k'];
const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '500k', '-g', '30'];
const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '500k', '-g', '30'];
const OPUS = ['-c:a', 'libopus', '-b:a', '48k'];
/** What a phone writes beside the picture: where and when. */
const LOCATION_METADATA = [
  ...['-metadata', 'location=+52.5200+013.4050/', '-metadata', 'creation_time=2026-03-01T08:30:00Z'],
  ...['-metadata:s:v', 'comment=secret-place'],
];

const file = (name: string, args: string[]) => () => cached(name, (path) => encode(args, path));
const live = (name: string, args: string[], format: string) => () =>
  cached(name, async (path) => writeFile(path, await encodeLive(args, format)));

export const h264Mp4 = file('h264.mp4', [
  ...[...testPattern(), ...TONE, ...H264, ...AAC],
  ...[...LOCATION_METADATA, '-movflags', '+faststart+use_metadata_tags'],
]);
/** As cameras write it. */
export const indexLastMp4 = file('index-last.mp4', [
  ...[...testPattern(), ...TONE, ...H264, ...AAC],
  ...[...LOCATION_METADATA, '-movflags', '+use_metadata_tags'],
]);
export const fragmentedMp4 = live(
  'fragmented.mp4',
  [...testPattern(), ...TONE, ...H264, ...OPUS, '-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
  'mp4',
);
export const fragmentedAacMp4 = live(
  'fragmented-aac.mp4',
  [...testPattern(), ...TONE, ...H264, ...AAC, '-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
  'mp4',
);
export const vp8Webm = live('vp8.webm', [...testPattern(), ...TONE, ...VP8, ...OPUS], 'webm');
export const vp9Webm = live('vp9.webm', [...testPattern(), ...TONE, ...VP9, ...OPUS], 'webm');
export const h264Matroska = live('h264.mkv', [...testPattern(), ...TONE, ...H264, ...OPUS], 'matroska');
export const matroskaNamedMp4 = file('matroska-in-truth.mp4', [
  ...[...testPattern(), ...TONE, ...H264, ...AAC, '-f', 'matroska'],
]);
export const h264Mov = file('h264.mov', [...testPattern(), ...TONE, ...H264, '-c:a', 'pcm_s16be']);
export const av1Mp4 = file('av1.mp4', [
  ...[...testPattern(), ...TONE, '-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime', ...OPUS],
]);
export const hevcMp4 = file('hevc.mp4', [
  ...[
    ...testPattern(),
    ...TONE,
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=error',
  ],
  ...['-pix_fmt', 'yuv420p', '-tag:v', 'hvc1', ...AAC],
]);
export const tenBitMp4 = file('ten-bit.mp4', [
  ...[
    ...testPattern(),
    ...TONE,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p10le',
    ...AAC,
  ],
]);
export const noAudioMp4 = file('no-audio.mp4', [...testPattern(), ...H264]);
export const noVideoMp4 = file('no-video.mp4', [...TONE, ...AAC]);
/** About 5 MB a second, as H.264 that is copied. */
export const noisyMp4 = file('noisy.mp4', [
  ...[...testPattern('640x360', 30, 2), ...H264, '-vf', 'noise=alls=40:allf=t', '-qp', '10'],
]);
export const oneFrameMp4 = file('one-frame.mp4', [...testPattern(), ...H264, '-frames:v', '1']);
export const aboveFullHd = file('above-1080p.mp4', [...testPattern('2560x1440', 10, 1), ...H264]);
export const anamorphicMp4 = file('anamorphic.mp4', [
  ...testPattern('240x180'),
  ...H264,
  '-vf',
  'setsar=4/3',
]);

/** A clip as a phone held upright writes it: the picture lies, and is shown turned clockwise by a quarter. */
const rotated = (name: string, clip: () => Promise<string>) => () =>
  cached(name, async (path) => writeWithMatrix(await clip(), [0, 1, -1, 0], path));

export const rotatedMp4 = rotated('rotated.mp4', h264Mp4);
/** This one has to be encoded again. */
export const rotatedHevc = rotated('rotated-hevc.mp4', hevcMp4);

/** Two thirds of the frames are missing from the second half on, as when a camera drops frames in the dark. */
const VARIABLE_RATE = ['-vf', "select='lt(t,2)+not(mod(n,3))'", '-fps_mode', 'vfr'];
export const variableRateMp4 = file('variable.mp4', [...testPattern(), ...VARIABLE_RATE, ...H264]);
export const variableRateVp9 = file('variable.webm', [...testPattern(), ...VARIABLE_RATE, ...VP9]);

/** The frames of `variableRateMp4` and `variableRateVp9`. */
export const VARIABLE_RATE_FRAMES = 60 + 20;

/** Silence with a picture; a camera's lens cap with a sound. */
export const silentMp4 = file('silent.mp4', [
  ...[
    ...testPattern(),
    '-f',
    'lavfi',
    '-t',
    String(CLIP_SECONDS),
    '-i',
    'anullsrc=r=48000:cl=stereo',
    ...H264,
    ...AAC,
  ],
]);
export const blackIntroMp4 = file('black-at-first.mp4', [
  ...[...testPattern('320x180', 30, 10), ...H264, '-vf', "drawbox=t=fill:color=black:enable='lt(t,3)'"],
]);

/** Captions and cover art beside the picture, as editors and drones write them. */
export const captionsAndCoverMp4 = () =>
  cached('companions.mp4', async (path) => {
    const captions = await cached('captions.srt', (srt) =>
      writeFile(srt, '1\n00:00:00,000 --> 00:00:01,000\nsecret-place\n'),
    );
    const cover = await cached('cover.jpg', (jpg) => encode([...testPattern(), '-frames:v', '1'], jpg));
    const inputs = ['-i', await h264Mp4(), '-i', captions, '-i', cover];
    const maps = ['-map', '2', '-map', '1', '-map', '0', '-c', 'copy', '-c:s', 'mov_text'];
    await encode([...inputs, ...maps, '-disposition:v:0', 'attached_pic'], path);
  });

/** The first 60 % of another clip. */
function truncated(name: string, clip: () => Promise<string>): () => Promise<string> {
  return () =>
    cached(name, async (path) => {
      const whole = await readFile(await clip());
      await writeFile(path, whole.subarray(0, Math.floor(whole.length * 0.6)));
    });
}

export const truncatedMp4 = truncated('truncated.mp4', h264Mp4);
export const truncatedWebm = truncated('truncated.webm', vp8Webm);
export const truncatedFragments = truncated('truncated-fragments.mp4', fragmentedMp4);

/** A tone that pauses for the last two of every ten seconds, silent until `from` seconds. */
const speechArgs = (seconds: number, from: number, sound: string[]) => [
  ...['-f', 'lavfi', '-t', String(seconds), '-i', 'color=size=64x36:rate=1'],
  ...['-f', 'lavfi', '-t', String(seconds - from)],
  ...['-i', 'aevalsrc=0.3*sin(2764*t)*lt(mod(t\\,10)\\,8):s=16000'],
  ...['-af', `adelay=${from * 1000}`, ...H264, ...sound],
];

export const LONG_SPEECH_SECONDS = 1320;
/** Talk starts shortly before the stretch in which the sound may be split, since silence encodes fast. */
export const longSpeech = file('long.mov', speechArgs(LONG_SPEECH_SECONDS, 880, ['-c:a', 'pcm_s16le']));
export const SHORT_SPEECH_SECONDS = 120;
export const shortSpeech = file('talk.mp4', speechArgs(SHORT_SPEECH_SECONDS, 0, AAC));
