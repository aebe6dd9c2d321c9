import { writeFile } from 'node:fs/promises';
import { cached, encode } from '../encode';
import type { CorpusClip } from './clips';
import { soundEncoding } from './codecs';
import { patternClip, pictureArgs } from './encode-pattern';
import { joinDescriptions } from './join-descriptions';
import { PATTERN, patternInputs, SECONDS } from './pattern';

type Size = NonNullable<CorpusClip['size']>;

const SOUNDS: Record<string, string> = { webm: 'opus', ogv: 'opus', vob: 'mp2' };
const soundOf = (ending: string) => SOUNDS[ending] ?? 'aac';

const shaped = (plan: CorpusClip['plan'], size: Size, ...names: string[]): CorpusClip[] =>
  names.map((name) => {
    const [picture = '', ending = ''] = name.split('.');
    const sound = soundOf(ending);
    return { name, picture, sound, plan, size, make: () => patternClip(`shape-${name}`, { picture, sound }) };
  });

/** Encodes the first second of the pattern in its own size, and the other one in another size. */
const halves = (picture: string, second: string, ending: string): Promise<string>[] =>
  [
    { range: ['-t', '1'], filters: [] },
    { range: ['-ss', '1'], filters: [`scale=${second}:flags=neighbor`, 'setsar=1'] },
  ].map(({ range, filters }) =>
    cached(`half-${picture}-${second}${range[0]}.${ending}`, async (path) =>
      encode([...(await patternInputs({})), ...pictureArgs(picture, filters), ...range], path),
    ),
  );

/** Adds the pattern's tone to a picture, which is copied. */
async function withTone(input: string[], sound: string, path: string): Promise<void> {
  const maps = ['-map', '2:v', '-map', '1:a', '-c:v', 'copy'];
  await encode([...(await patternInputs({})), ...input, ...maps, ...soundEncoding(sound)], path);
}

/**
 * A size that changes after a second, as in a phone that's turned, or a video call. `half` is the ending of the files that
 * are joined.
 */
function changing(picture: string, ending: string, half: string, second: string): CorpusClip {
  const name = `${picture}_then-${second}.${ending}`;
  const sound = soundOf(ending);
  const make = () =>
    cached(`changing-${name}`, async (path) => {
      const parts = await Promise.all(halves(picture, second, half));
      const list = await cached(`${name}.txt`, (to) =>
        writeFile(to, parts.map((one) => `file '${one}'\nduration ${SECONDS / 2}\n`).join('')),
      );
      await withTone(['-f', 'concat', '-safe', '0', '-i', list], sound, path);
    });
  return { name, picture, sound, plan: picture === 'h264' ? 'copy' : 'transcode', make };
}

/** Two recordings that were joined without being encoded: the second one needs another configuration of the decoder. */
const JOINED: CorpusClip = {
  ...{ name: 'joined.mov', picture: 'h264', sound: null, isMute: true, plan: 'transcode' },
  make: () =>
    cached('joined.mov', async (path) => {
      const [first = '', second = ''] = await Promise.all(halves('h264', '432x288', 'mp4'));
      await joinDescriptions([first, second], path);
    }),
};

/** Pictures whose pixels aren't square, whose sizes are odd, or whose size changes. */
export const SHAPED: CorpusClip[] = [
  ...shaped('copy', PATTERN, 'h264-wide.mp4', 'h264-wide.mkv', 'h264-wide.ts', 'h264-narrow.mp4'),
  ...shaped('transcode', PATTERN, 'hevc-wide.mp4', 'hevc-wide.mkv', 'vp9-wide.webm', 'mpeg4-wide.mov'),
  ...shaped('transcode', { width: 1024, height: 576 }, 'mpeg2-wide.ts', 'mpeg2-wide.vob'),
  ...shaped(
    'transcode',
    { width: 322, height: 182 },
    ...[
      'h264-odd.mp4',
      'hevc-odd.mov',
      'vp9-odd.webm',
      'av1-odd.mp4',
      'mpeg4-odd.mov',
      'theora-odd.ogv',
      'qtrle-odd.mov',
    ],
  ),
  JOINED,
  changing('h264', 'mp4', 'mp4', '432x288'),
  changing('h264', 'ts', 'mp4', '144x96'),
  changing('hevc', 'mkv', 'ts', '432x288'),
  changing('vp9', 'webm', 'webm', '144x96'),
];
