import { readFile, writeFile } from 'node:fs/promises';
import { cached, encode } from '../encode';
import { pictureEncoding, soundEncoding } from './codecs';
import { patternClip, pictureArgs } from './encode-pattern';
import { patternInputs } from './pattern';

const AAC = soundEncoding('aac');

const file = (name: string, args: (inputs: string[]) => string[]) => () =>
  cached(name, async (path) => encode(args(await patternInputs({})), path));

const picture = pictureArgs('h264');
const silence = ['-f', 'lavfi', '-t', '2', '-i', 'anullsrc=r=48000:cl=mono'];

/** Two tracks, as screen recorders write them: nothing was said into the first one. */
export const silentFirstTrack = file('silent-first.mp4', (inputs) => [
  ...[...inputs, ...silence, ...picture, '-map', '2:a', '-map', '1:a', ...AAC],
]);

/** Two tracks that are heard, of which the second one is louder, and the default one is given. */
export const twoTracks = (preferred: 0 | 1) =>
  file(`two-tracks-${preferred}.mkv`, (inputs) => [
    ...[...inputs, ...picture, '-map', '1:a', '-map', '1:a', ...AAC, '-filter:a:0', 'volume=-12dB'],
    ...[
      '-disposition:a:0',
      preferred === 0 ? 'default' : '0',
      '-disposition:a:1',
      preferred === 1 ? 'default' : '0',
    ],
  ])();

const stereo = (pan: string) => ['-map', '1:a', '-af', `pan=stereo|${pan}`, '-c:a', 'pcm_s16le'];

/** A balanced microphone in a stereo socket: the right channel is the left one, inverted. */
export const oppositeChannels = file('opposite.mov', (inputs) => [
  ...[...inputs, ...picture, ...stereo('c0=0.5*c0|c1=-0.9*c0')],
]);
/** The sound is in one channel. Nothing cancels out. */
export const leftChannelOnly = file('left-only.mov', (inputs) => [
  ...[...inputs, ...picture, ...stereo('c0=c0|c1=0*c0')],
]);

/** Replaces four-letter codes in a file by others. */
function renamed(name: string, clip: () => Promise<string>, codes: [from: string, to: string][]) {
  return () =>
    cached(name, async (path) => {
      const bytes = await readFile(await clip());
      // Before that, the file's brands may have one.
      for (const [from, to] of codes) bytes.write(to, bytes.lastIndexOf(from), 'latin1');
      await writeFile(path, bytes);
    });
}

const plain = () => patternClip('pattern-plain.mp4', { picture: 'h264', sound: 'aac' });
/** Sound and a picture that nothing here decodes: the codes of their sample entries say so. */
export const unreadableSound = renamed('ac-4.mp4', plain, [
  ['mp4a', 'ac-4'],
  // It would say that it's AAC.
  ['esds', 'free'],
]);
export const unreadablePicture = renamed('vvc.mp4', plain, [
  ['avc1', 'vvc1'],
  ['avcC', 'free'],
]);

/** ffmpeg could decode this sound, but Daylight's list doesn't have it. */
export const unlistedSound = file('g723.avi', (inputs) => [
  ...[...inputs, ...picture, '-map', '1:a', '-c:a', 'g723_1', '-ar', '8000', '-ac', '1', '-b:a', '6300'],
]);

/** Dolby Vision's configuration (dvcC, profile 5, no base layer for others) in place of a box that nobody needs. */
export const dolbyVisionProfile5 = () =>
  cached('dolby-vision-5.mp4', async (path) => {
    const whole = await patternClip('dolby-base.mp4', { picture: 'hevc-10', sound: null });
    const bytes = await readFile(whole);
    // btrt (ISO/IEC 14496-12, 8.5.2.2) is 20 bytes long. The configuration needs 32, so its parents grow.
    const box = Buffer.alloc(32);
    box.writeUInt32BE(32, 0);
    box.write('dvcC', 4, 'latin1');
    // Version 1.0, profile 5, level 4, with metadata and a base layer that's compatible with nothing.
    box.set([1, 0, (5 << 1) | 0, (4 << 3) | 0b101, 0], 8);
    const at = bytes.indexOf('btrt') - 4;
    for (const parent of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'hvc1']) {
      const start = bytes.indexOf(parent) - 4;
      bytes.writeUInt32BE(bytes.readUInt32BE(start) + 12, start);
    }
    await writeFile(path, Buffer.concat([bytes.subarray(0, at), box, bytes.subarray(at + 20)]));
  });

/** Movement in fields, as camcorders record it. */
export const movingFields = () =>
  cached('fields.mts', (path) =>
    encode(
      [
        ...[
          '-f',
          'lavfi',
          '-t',
          '2',
          '-i',
          'testsrc2=size=320x180:rate=50',
          '-vf',
          'tinterlace=interleave_top',
        ],
        ...[...pictureEncoding('h264-interlaced').args, '-f', 'mpegts'],
      ],
      path,
    ),
  );

/** AMR, as old phones record it, in H.263 and 3GP. What it says is noise: ffmpeg here can't encode speech as AMR. */
export const amr = (kind: 'amr_nb' | 'amr_wb') =>
  cached(`${kind}.3gp`, async (path) => {
    // 20 ms each of the best mode (RFC 4867, 5.3).
    const [magic, header, bytes] = kind === 'amr_nb' ? ['#!AMR\n', 0x3c, 31] : ['#!AMR-WB\n', 0x44, 60];
    let seed = 1;
    const frame = () => {
      const body = Array.from({ length: bytes }, () => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed & 0xff;
      });
      return Buffer.from([header, ...body]);
    };
    const sound = await cached(`${kind}.amr`, (raw) =>
      writeFile(raw, Buffer.concat([Buffer.from(magic), ...Array.from({ length: 100 }, frame)])),
    );
    const pattern = await patternInputs({});
    await encode([...pattern, '-i', sound, ...pictureArgs('h263'), '-map', '2:a', '-c:a', 'copy'], path);
  });
