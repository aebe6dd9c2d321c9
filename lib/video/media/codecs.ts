/** Decoders by codec, both by ffmpeg's names; a codec alone has a decoder of its own name. */
type Codecs = readonly (string | readonly [codec: string, ...decoders: string[]])[];

/**
 * What phones, cameras, camcorders, screen recorders, and editors write. `libdav1d` is how Debian decodes AV1. Codecs of
 * games, broadcasters, and old web players are left out: each decoder is C code that reads what strangers upload.
 */
const PICTURES: Codecs = [
  ...(['h264', 'hevc', 'vp8', 'vp9', ['av1', 'libdav1d', 'libaom-av1', 'av1']] as const),
  // Camcorders, discs, and cameras of the 2000s.
  ...['mpeg1video', 'mpeg2video', 'mpeg4', 'mjpeg', 'mjpegb', 'dvvideo'],
  ...['h263', 'h263i', 'h263p', ['flv1', 'flv'] as const, 'svq1', 'svq3', 'cinepak', 'indeo5'],
  ...['msmpeg4v1', 'msmpeg4v2', ['msmpeg4v3', 'msmpeg4'] as const, 'wmv1', 'wmv2', 'wmv3', 'vc1'],
  // Browsers of that time.
  ...['theora', 'vp6', 'vp6f', 'vp6a'],
  // Editors.
  ...['prores', 'dnxhd', 'cfhd', 'aic', 'qtrle', 'png', 'huffyuv', 'ffvhuff', 'ffv1', 'utvideo', 'magicyuv'],
  ...['rawvideo', 'v210', 'v410', 'jpeg2000', 'hap'],
];

const PCM_FORMATS = [
  ...['s8', 'u8', 's16le', 's16be', 'u16le', 'u16be', 's24le', 's24be', 's32le', 's32be', 's64le'],
  ...['f32le', 'f32be', 'f64le', 'f64be', 'alaw', 'mulaw', 'bluray', 'dvd', 'lxf'],
  ...['s8_planar', 's16le_planar', 's16be_planar', 's24le_planar', 's32le_planar'],
];

const ADPCM_FORMATS = ['ms', 'ima_wav', 'ima_qt', 'swf', 'yamaha'];

const SOUNDS: Codecs = [
  ...['aac', 'aac_latm', 'opus', 'vorbis', 'flac', 'alac', 'speex'],
  ...([
    ['mp1', 'mp1float', 'mp1'],
    ['mp2', 'mp2float', 'mp2'],
    ['mp3', 'mp3float', 'mp3'],
    ['dts', 'dca'],
    ['amr_nb', 'amrnb'],
    ['amr_wb', 'amrwb'],
    ['adpcm_g722', 'g722'],
    ['adpcm_g726', 'g726'],
    ['adpcm_g726le', 'g726le'],
  ] as const),
  ...['ac3', 'eac3', 'truehd', 'mlp', 'wmav1', 'wmav2', 'wmapro', 'wmalossless', 'wmavoice'],
  ...['gsm', 'gsm_ms', 'qdm2', 'mace3', 'mace6', 'nellymoser', 'wavpack', 'tta', 's302m'],
  ...PCM_FORMATS.map((format) => `pcm_${format}`),
  ...ADPCM_FORMATS.map((format) => `adpcm_${format}`),
];

/**
 * What's read only because ffprobe exits if it can't open the decoder of any stream, even one that nobody asked for:
 * captions beside a video.
 */
const CAPTIONS: Codecs = [
  ...['mov_text', 'subrip', 'srt', 'ass', 'ssa', 'webvtt', 'text', ['eia_608', 'cc_dec'] as const],
  ...[
    ['dvd_subtitle', 'dvdsub'] as const,
    ['dvb_subtitle', 'dvbsub'] as const,
    ['hdmv_pgs_subtitle', 'pgssub'] as const,
  ],
  'xsub',
];

const listed = (codecs: Codecs): Map<string, readonly string[]> =>
  new Map(
    codecs.map((one) => {
      if (typeof one === 'string') return [one, [one]];
      const [codec, ...decoders] = one;
      return [codec, decoders];
    }),
  );

const DECODERS = { video: listed(PICTURES), audio: listed(SOUNDS), caption: listed(CAPTIONS) };

/** Returns whether a stream of a codec is decoded here, by ffmpeg's name for it. */
export const isReadable = (kind: 'video' | 'audio', codec: string): boolean => DECODERS[kind].has(codec);

/** Returns the names of the decoders that read some codecs; those that aren't decoded here have none. */
export const decodersOf = (codecs: readonly string[]): string[] =>
  codecs.flatMap((codec) => [...(DECODERS.video.get(codec) ?? []), ...(DECODERS.audio.get(codec) ?? [])]);

/** Returns the names of all decoders that a probe may open. */
export const probeDecoders = (): string[] =>
  Object.values(DECODERS).flatMap((codecs) => [...codecs.values()].flat());
