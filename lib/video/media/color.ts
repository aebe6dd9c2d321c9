import type { VideoStream } from './media-probe';

/** A way from colors that ordinary screens don't have to BT.709. */
export type ToneMap = 'hlg' | 'pq' | 'bt2020';

/** Returns how a picture's colors become BT.709; null if it's what they are, or near enough. */
export function toneMapOf({ color }: Pick<VideoStream, 'color'>): ToneMap | null {
  if (color.transfer === 'arib-std-b67') return 'hlg';
  if (color.transfer === 'smpte2084') return 'pq';
  return color.primaries === 'bt2020' ? 'bt2020' : null;
}

/** Where what a browser shows without being told changes from BT.601 to BT.709, in lines. */
const HD_HEIGHT = 720;

/** The matrices by the names that ffmpeg's `scale` has for them. */
const SCALE_NAMES: Record<string, string> = {
  bt709: 'bt709',
  fcc: 'fcc',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  smpte240m: 'smpte240m',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
};

/** Returns the matrix of a picture; if its file doesn't say, as browsers guess it. */
function matrixOf({ color, height }: Pick<VideoStream, 'color' | 'height'>): string {
  if (color.primaries === 'bt2020' && color.matrix === '') return 'bt2020nc';
  if (color.matrix in SCALE_NAMES) return color.matrix;
  return color.matrix === '' && height < HD_HEIGHT ? 'smpte170m' : 'bt709';
}

/** The matrices that every player knows. An encoded video keeps them, since each change costs a step of brightness. */
const KEPT_MATRICES = new Set(['bt709', 'smpte170m', 'bt470bg']);

/** Returns the matrix that a picture is encoded with. */
function encodedMatrix(video: VideoStream): string {
  const matrix = matrixOf(video);
  return toneMapOf(video) === null && KEPT_MATRICES.has(matrix) ? matrix : 'bt709';
}

/** The primaries and transfers of ordinary video, which players tell apart. */
const PRIMARIES = new Set(['bt709', 'smpte170m', 'bt470bg']);
const TRANSFERS = new Set(['bt709', 'smpte170m', 'bt470m', 'bt470bg', 'iec61966-2-1']);

/** What a picture is made for: a video, or a JPEG, which has the matrix of BT.601 in full range (JFIF 1.02). */
export type PictureUse = 'video' | 'jpeg';

/** What {@link toneMapOf}'s table is called in the folder of a run. */
export const TONE_MAP_FILE = 'tone-map.cube';

/**
 * Returns the filters that make one size, color, and pixel format of a picture: interlaced frames become whole ones, HDR
 * becomes what ordinary screens show, and the range becomes that of `use`, as the matrix does where it has to.
 * @param scaling options of `scale`, with the size
 */
export function pictureFilters(video: VideoStream, scaling: string, use: PictureUse): string[] {
  const made =
    use === 'jpeg'
      ? 'out_color_matrix=bt601:out_range=pc'
      : `out_color_matrix=${SCALE_NAMES[encodedMatrix(video)]}:out_range=tv`;
  const format = use === 'jpeg' ? 'format=yuvj420p' : 'format=yuv420p';
  const from = `in_color_matrix=${SCALE_NAMES[matrixOf(video)]}`;
  const whole = video.scan === 'progressive' ? [] : ['bwdif=mode=send_frame:deint=interlaced'];
  if (!toneMapOf(video)) return [...whole, `scale=${scaling}:${from}:${made}`, format];
  const table = `lut3d=file=${TONE_MAP_FILE}:interp=tetrahedral`;
  return [...whole, `scale=${scaling}:${from}`, 'format=gbrp10le', table, `scale=${made}`, format];
}

/** Returns the filter and the encoder's options that say what the colors of an encoded video are. */
export function colorTags(video: VideoStream): { filter: string; args: string[] } {
  const isMapped = toneMapOf(video) !== null;
  const kept = (value: string, known: Set<string>) => (!isMapped && known.has(value) ? value : 'bt709');
  const primaries = kept(video.color.primaries, PRIMARIES);
  const transfer = kept(video.color.transfer, TRANSFERS);
  const matrix = encodedMatrix(video);
  return {
    filter: `setparams=range=tv:colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer}`,
    args: [
      ...['-color_range', 'tv', '-colorspace', matrix],
      ...['-color_primaries', primaries, '-color_trc', transfer],
    ],
  };
}
