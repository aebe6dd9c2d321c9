/** How ffmpeg encodes a picture of the corpus: the filters after the pattern, and the encoder's options. */
interface PictureEncoding {
  size?: string;
  rate?: string;
  filters?: string[];
  args: string[];
}

const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12', '-g', '25'];
const X265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '10', '-tag:v', 'hvc1'];
const x265 = (color = '') => [...X265, '-x265-params', `log-level=error${color}`];
const VPX = ['-deadline', 'realtime', '-cpu-used', '8', '-b:v', '3M', '-g', '25'];
const AOM = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime', '-b:v', '3M'];
const q = (codec: string, quality = 2) => ['-c:v', codec, '-q:v', String(quality), '-g', '25'];

/** Converts the pattern to a matrix and a range, and says so. */
const color = (
  matrix: string,
  { range = 'tv', format = 'yuv420p', primaries = 'bt709', transfer = 'bt709' } = {},
) => {
  const names: Record<string, string> = { bt601: 'smpte170m', bt709: 'bt709', bt2020: 'bt2020nc' };
  return [
    `scale=out_color_matrix=${matrix}:out_range=${range},format=${format}`,
    `setparams=range=${range}:colorspace=${names[matrix]}:color_primaries=${primaries}:color_trc=${transfer}`,
  ];
};
const tags = (matrix: string, { range = 'tv', primaries = 'bt709', transfer = 'bt709' } = {}) => [
  ...['-colorspace', matrix, '-color_range', range, '-color_primaries', primaries, '-color_trc', transfer],
];
const BT709 = { filters: color('bt709'), tags: tags('bt709') };

/** HDR: the pattern's values are taken for coded BT.2020, whatever they'd look like. */
const hdr = (transfer: string, format: string) => ({
  filters: color('bt2020', { format, primaries: 'bt2020', transfer }),
  tags: tags('bt2020nc', { primaries: 'bt2020', transfer }),
});
const HLG = hdr('arib-std-b67', 'yuv420p10le');
const PQ = hdr('smpte2084', 'yuv420p10le');
const hevcColor = (transfer: string) => `:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`;

const plain = (args: string[], filters = BT709.filters): PictureEncoding => ({
  filters,
  args: [...args, ...BT709.tags],
});
/** Old codecs say nothing about color; players take what's this small for BT.601. */
const untagged = (args: string[], format = 'yuv420p', size?: string): PictureEncoding => ({
  filters: [`scale=out_color_matrix=bt601:out_range=tv,format=${format}`],
  args,
  ...(size ? { size } : {}),
});
const rgb = (args: string[], format: string): PictureEncoding => ({ filters: [`format=${format}`], args });

const withFilters = (encoding: PictureEncoding, size: string, ...more: string[]): PictureEncoding => ({
  ...encoding,
  size,
  filters: [...(encoding.filters ?? []), ...more],
});
/** Three quarters as many pixels, each of them a third wider than high. */
const wide = (encoding: PictureEncoding) => withFilters(encoding, '216x192', 'setsar=4/3');
/** As camcorders and DVDs have it: 720 pixels, shown in 1024. */
const widescreen = (encoding: PictureEncoding) => withFilters(encoding, '720x576', 'setsar=64/45');
/** Cut off, since scaling to an odd size leaves half of the last column's color out. */
const odd = (encoding: PictureEncoding) => withFilters(encoding, '322x182', 'crop=321:181:0:0:exact=1');

/** How pictures are encoded, by the name that rows have for it. */
const PICTURES: Record<string, PictureEncoding> = {
  h264: plain(X264),
  'h264-untagged': untagged(X264),
  'h264-untagged-hd': {
    size: '1280x720',
    filters: ['scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'],
    args: X264,
  },
  'h264-bt601': {
    filters: color('bt601', { primaries: 'smpte170m', transfer: 'smpte170m' }),
    args: [...X264, ...tags('smpte170m', { primaries: 'smpte170m', transfer: 'smpte170m' })],
  },
  'h264-full': {
    filters: color('bt709', { range: 'pc', format: 'yuvj420p' }),
    args: [...X264, ...tags('bt709', { range: 'pc' })],
  },
  'h264-10': plain(X264, color('bt709', { format: 'yuv420p10le' })),
  'h264-422': plain(X264, color('bt709', { format: 'yuv422p' })),
  'h264-422-10': plain(X264, color('bt709', { format: 'yuv422p10le' })),
  'h264-444': plain(X264, color('bt709', { format: 'yuv444p' })),
  'h264-rgb': rgb(['-c:v', 'libx264rgb', '-preset', 'ultrafast', '-crf', '12'], 'rgb24'),
  'h264-interlaced': { ...plain([...X264, '-flags', '+ilme+ildct', '-x264-params', 'tff=1']), rate: '50' },
  'h264-bff': { ...plain([...X264, '-flags', '+ilme+ildct', '-x264-params', 'bff=1']), rate: '50' },
  'h264-hlg': {
    filters: color('bt2020', { primaries: 'bt2020', transfer: 'arib-std-b67' }),
    args: [...X264, ...HLG.tags],
  },
  'h264-wide': wide(plain(X264)),
  'h264-narrow': withFilters(plain(X264), '384x192', 'setsar=3/4'),
  'h264-odd': odd(plain(X264, color('bt709', { format: 'yuv444p' }))),
  'h264-240': { ...plain(X264), rate: '240' },
  'h264-1000': { ...plain([...X264, '-video_track_timescale', '90000']), rate: '1000' },
  'h264-1': { ...plain(X264), rate: '1' },
  'h264-5': { ...plain(X264), rate: '5' },
  'h264-4k': { ...plain(X264), size: '2560x1704' },
  hevc: plain(x265()),
  'hevc-wide': wide(plain(x265())),
  'hevc-odd': odd(plain(x265(), color('bt709', { format: 'yuv444p' }))),
  'hevc-1': { ...plain(x265()), rate: '1' },
  'hevc-240': { ...plain(x265()), rate: '240' },
  'hevc-10': plain(x265(), color('bt709', { format: 'yuv420p10le' })),
  'hevc-422-10': plain(x265(), color('bt709', { format: 'yuv422p10le' })),
  'hevc-444': plain(x265(), color('bt709', { format: 'yuv444p' })),
  'hevc-12': plain(x265(), color('bt709', { format: 'yuv420p12le' })),
  'hevc-full': {
    filters: color('bt709', { range: 'pc', format: 'yuvj420p' }),
    args: [...x265(':range=full'), ...tags('bt709', { range: 'pc' })],
  },
  'hevc-bt601': {
    filters: color('bt601', { primaries: 'bt470bg', transfer: 'smpte170m' }),
    args: [...x265(), ...tags('bt470bg', { primaries: 'bt470bg', transfer: 'smpte170m' })],
  },
  'hevc-bt2020': {
    filters: color('bt2020', { format: 'yuv420p10le', primaries: 'bt2020' }),
    args: [
      ...x265(':colorprim=bt2020:transfer=bt709:colormatrix=bt2020nc'),
      ...tags('bt2020nc', { primaries: 'bt2020' }),
    ],
  },
  'hevc-hlg': { filters: HLG.filters, args: [...x265(hevcColor('arib-std-b67')), ...HLG.tags] },
  'hevc-pq': { filters: PQ.filters, args: [...x265(hevcColor('smpte2084')), ...PQ.tags] },
  'vp9-hlg': { filters: HLG.filters, args: ['-c:v', 'libvpx-vp9', '-profile:v', '2', ...VPX, ...HLG.tags] },
  'av1-pq': { filters: PQ.filters, args: [...AOM, ...PQ.tags] },
  vp8: untagged(['-c:v', 'libvpx', ...VPX]),
  vp9: plain(['-c:v', 'libvpx-vp9', ...VPX]),
  'vp9-wide': wide(plain(['-c:v', 'libvpx-vp9', ...VPX])),
  'vp9-odd': odd(plain(['-c:v', 'libvpx-vp9', ...VPX])),
  'vp9-444': plain(['-c:v', 'libvpx-vp9', '-profile:v', '1', ...VPX], color('bt709', { format: 'yuv444p' })),
  av1: plain(AOM),
  'av1-odd': odd(plain(AOM)),
  'av1-10': plain(AOM, color('bt709', { format: 'yuv420p10le' })),
  mpeg1: untagged(q('mpeg1video')),
  mpeg2: untagged(q('mpeg2video')),
  'mpeg2-wide': widescreen(untagged(q('mpeg2video'))),
  'mpeg2-422': untagged(q('mpeg2video'), 'yuv422p'),
  'mpeg2-interlaced': { ...untagged([...q('mpeg2video'), '-flags', '+ilme+ildct', '-top', '1']), rate: '50' },
  mpeg4: untagged(q('mpeg4')),
  'mpeg4-odd': odd(untagged(q('mpeg4'))),
  'mpeg4-wide': wide(untagged(q('mpeg4'))),
  'mpeg4-1000': { ...untagged(q('mpeg4')), rate: '1000' },
  xvid: untagged([...q('mpeg4'), '-bf', '2', '-tag:v', 'XVID']),
  msmpeg4v2: untagged(q('msmpeg4v2')),
  msmpeg4: untagged(q('msmpeg4')),
  h263: untagged(q('h263'), 'yuv420p', '352x288'),
  mjpeg: { filters: ['scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p'], args: q('mjpeg') },
  'mjpeg-422': { filters: ['scale=out_color_matrix=bt601:out_range=pc,format=yuvj422p'], args: q('mjpeg') },
  dv: untagged(['-c:v', 'dvvideo'], 'yuv420p', '720x576'),
  prores: plain(['-c:v', 'prores_ks', '-profile:v', '3'], color('bt709', { format: 'yuv422p10le' })),
  'prores-4444': plain(['-c:v', 'prores_ks', '-profile:v', '4'], color('bt709', { format: 'yuv444p10le' })),
  dnxhd: {
    ...plain(['-c:v', 'dnxhd', '-profile:v', 'dnxhr_hq'], color('bt709', { format: 'yuv422p' })),
    size: '1280x720',
  },
  wmv1: untagged(q('wmv1')),
  wmv2: untagged(q('wmv2')),
  flv1: untagged(q('flv')),
  theora: untagged(['-c:v', 'libtheora', '-q:v', '10']),
  svq1: untagged(q('svq1', 1), 'yuv410p', '352x288'),
  cinepak: rgb(['-c:v', 'cinepak'], 'rgb24'),
  qtrle: rgb(['-c:v', 'qtrle'], 'rgb24'),
  png: rgb(['-c:v', 'png'], 'rgb24'),
  huffyuv: untagged(['-c:v', 'huffyuv'], 'yuv422p'),
  ffvhuff: untagged(['-c:v', 'ffvhuff']),
  'theora-odd': odd(untagged(['-c:v', 'libtheora', '-q:v', '10'])),
  'qtrle-odd': odd(rgb(['-c:v', 'qtrle'], 'rgb24')),
  ffv1: untagged(['-c:v', 'ffv1']),
  utvideo: untagged(['-c:v', 'utvideo']),
  magicyuv: rgb(['-c:v', 'magicyuv'], 'gbrp'),
  cfhd: plain(['-c:v', 'cfhd', '-quality', 'film3+'], color('bt709', { format: 'yuv422p10le' })),
  jpeg2000: untagged(['-c:v', 'jpeg2000', '-q:v', '2'], 'yuv422p'),
  hap: rgb(['-c:v', 'hap'], 'rgba'),
  v210: plain(['-c:v', 'v210'], color('bt709', { format: 'yuv422p10le' })),
  uncompressed: untagged(['-c:v', 'rawvideo'], 'uyvy422'),
};

/** Returns how a picture is encoded by its name. */
export function pictureEncoding(picture: string): PictureEncoding {
  const encoding = PICTURES[picture];
  if (!encoding) throw new Error(`The corpus has no ${picture}.`);
  return encoding;
}

const mono = (codec: string, ...args: string[]) => ['-c:a', codec, '-ac', '1', ...args];

/** How sounds are encoded, by the name that rows have for it. */
const SOUNDS: Record<string, string[]> = {
  aac: mono('aac', '-b:a', '128k'),
  'aac-main': mono('aac', '-b:a', '128k', '-profile:a', 'aac_main'),
  'aac-5.1': ['-c:a', 'aac', '-af', 'pan=5.1|FC=c0', '-b:a', '256k'],
  'aac-96': mono('aac', '-ar', '96000', '-b:a', '128k'),
  opus: mono('libopus', '-b:a', '96k'),
  vorbis: mono('libvorbis', '-q:a', '6'),
  mp3: mono('libmp3lame', '-b:a', '128k'),
  mp2: mono('mp2', '-b:a', '128k'),
  ac3: mono('ac3', '-b:a', '128k'),
  eac3: mono('eac3', '-b:a', '128k'),
  dts: ['-c:a', 'dca', '-strict', '-2', '-ac', '2'],
  truehd: ['-c:a', 'truehd', '-strict', '-2', '-ac', '2'],
  flac: mono('flac'),
  'flac-24': mono('flac', '-sample_fmt', 's32'),
  alac: mono('alac'),
  wmav1: mono('wmav1', '-b:a', '128k'),
  wmav2: mono('wmav2', '-b:a', '128k'),
  speex: mono('libspeex', '-ar', '32000', '-b:a', '40k'),
  wavpack: mono('wavpack'),
  tta: mono('tta'),
  gsm: mono('libgsm_ms', '-ar', '8000'),
  nellymoser: mono('nellymoser', '-ar', '44100'),
  s302m: ['-c:a', 's302m', '-strict', '-2', '-ac', '2'],
  g722: mono('g722', '-ar', '16000'),
};

/** Returns the options of a sound by its name. PCM and ADPCM have theirs from ffmpeg: pcm_s16le, adpcm_ms. */
export function soundEncoding(sound: string): string[] {
  const args = SOUNDS[sound];
  if (args) return args;
  if (sound.startsWith('pcm_')) return mono(sound);
  if (sound.startsWith('adpcm_')) return mono(sound, '-ar', '44100');
  throw new Error(`The corpus has no ${sound}.`);
}
