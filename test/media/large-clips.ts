import { patternFilters, patternInputs } from './corpus/pattern';
import { cached, encode } from './encode';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '30'];

/** Makes a clip of the corpus's pattern, in H.264 with AAC, which is copied up to 1080p. */
const patternClip = (
  name: string,
  input: { rate: string; seconds?: number },
  filters: string[],
  options: string[] = [],
) =>
  cached(name, async (path) => {
    const inputs = await patternInputs(input);
    await encode([...inputs, '-vf', filters.join(','), ...H264, ...options, '-c:a', 'aac'], path);
  });

/** About 20 Mbit/s, since it's noisy. */
export const noisyPattern = () =>
  patternClip(
    'noisy-pattern.mp4',
    { rate: '25', seconds: 6 },
    [...patternFilters('900x600'), 'noise=alls=20:allf=t'],
    ['-qp', '14'],
  );

/** Few bits, but 60 frames a second above 1080p. */
export const fastPattern = () => patternClip('fast-pattern.mp4', { rate: '60' }, patternFilters('1920x1280'));
