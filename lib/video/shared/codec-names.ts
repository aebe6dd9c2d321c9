/**
 * What people call codecs, with ffmpeg's names and with the codes that files have: of sample entries (mp4ra.org, QuickTime
 * File Format), RIFF’s and ASF’s fourccs and format tags (0x hexadecimal), and of Matroska (RFC 9559, 5.1.4.1.21).
 */
const CODES: Readonly<Record<string, string>> = {
  // Pictures
  'MPEG-1': 'mpeg1video m1v mp1v mpg1 v_mpeg1',
  'MPEG-2': 'mpeg2video mp2v m2v1 mpg2 hdv1 hdv2 hdv3 v_mpeg2',
  'MPEG-4 Visual': 'mpeg4 mp4v xvid divx dx50 fmp4 v_mpeg4/iso/asp v_mpeg4/iso/sp v_mpeg4/iso/ap',
  'MS-MPEG-4': 'msmpeg4v1 msmpeg4v2 msmpeg4v3 mp41 mp42 mp43 div3 v_mpeg4/ms/v3',
  'H.261': 'h261',
  'H.263': 'h263 h263p h263i s263',
  'H.264': 'h264 avc1 avc2 avc3 avc4 x264 dva1 dvav v_mpeg4/iso/avc',
  'H.265 (HEVC)': 'hevc hvc1 hvc2 hev1 hev2 dvhe h265 v_mpegh/iso/hevc',
  'H.266 (VVC)': 'vvc vvc1 vvi1 h266 v_mpegi/iso/vvc',
  'MPEG-5 EVC': 'evc evc1',
  LCEVC: 'lcevc lvc1',
  AV1: 'av1 av01 dav1 v_av1',
  VP6: 'vp6 vp6f vp6a vp60 vp61 vp62',
  VP8: 'vp8 vp80 vp08 v_vp8',
  VP9: 'vp9 vp90 vp09 v_vp9',
  Theora: 'theora theo v_theora',
  'Motion JPEG': 'mjpeg mjpegb mjpg jpeg mjpa dmb1 v_mjpeg',
  'JPEG 2000': 'jpeg2000 mjp2 mj2c',
  'JPEG XS': 'jpegxs jxsm',
  DV: 'dvvideo dvsd dvc dvcp dvpp dv5n dv5p dvhd',
  'Apple ProRes': 'prores apch apcn apcs apco ap4h ap4x v_prores',
  'Apple ProRes RAW': 'prores_raw aprn aprh',
  'Apple Intermediate Codec': 'aic icod',
  'QuickTime Animation': 'qtrle rle',
  'Avid DNxHD': 'dnxhd avdn',
  'Avid DNxHR': 'avdh',
  CineForm: 'cfhd',
  APV: 'apv apv1',
  'VC-1': 'vc1 wvc1 vc-1 wvp2',
  'Windows Media Video': 'wmv1 wmv2 wmv3 wmva wmvp',
  'Windows Media Screen': 'mss1 mss2',
  'Sorenson Spark': 'flv1',
  'Sorenson Video': 'svq1 svq3',
  'Screen Video': 'flashsv flashsv2 fsv1 fsv2',
  Cinepak: 'cinepak cvid',
  Indeo: 'indeo2 indeo3 indeo4 indeo5 iv31 iv32 iv41 iv50',
  RealVideo: 'rv10 rv20 rv30 rv40 rv60',
  AVS: 'cavs',
  AVS2: 'avs2 avst',
  AVS3: 'avs3',
  FFV1: 'ffv1 v_ffv1',
  HuffYUV: 'huffyuv ffvhuff hfyu ffvh',
  'Ut Video': 'utvideo ulrg ulra uly0 uly2 uly4 ulh0 ulh2',
  PNG: 'png',
  'uncompressed video': 'rawvideo v210 2vuy yuv2 uyvy yuy2 v308 v408 v410 r210 v_uncompressed',
  Hap: 'hap hap1 hap5 hapa hapy',
  MagicYUV: 'magicyuv m8rg m8ra m8y0 m8y2 m8y4',
  'Blackmagic RAW': 'braw brhq brlt brs2 brst brvl brvn brxh brxq',
  'Canon Cinema RAW': 'craw',
  // Sound
  AAC: 'aac aac_latm mp4a a_aac 0x00ff 0x1610',
  MP3: 'mp3 mp3float .mp3 a_mpeg/l3 0x0055',
  'MPEG audio': 'mp1 mp2 .mp1 .mp2 a_mpeg/l1 a_mpeg/l2 0x0050',
  'Dolby Digital': 'ac3 ac-3 sac3 a_ac3 0x2000',
  'Dolby Digital Plus': 'eac3 ec-3 a_eac3',
  'Dolby TrueHD': 'truehd mlpa a_truehd',
  'Dolby E': 'dolby_e',
  'AC-4': 'ac4 ac-4',
  MLP: 'mlp a_mlp',
  DTS: 'dts dtsc dtsh dtsl dtse a_dts 0x2001',
  'DTS:X': 'dtsx dtsy',
  'MPEG-H 3D Audio': 'mpegh_3d_audio mha1 mha2 mhm1 mhm2',
  'Apple Positional Audio': 'apac',
  'Eclipsa Audio (IAMF)': 'iamf',
  'Apple Lossless': 'alac a_alac',
  FLAC: 'flac a_flac',
  Opus: 'opus a_opus',
  Vorbis: 'vorbis a_vorbis',
  Speex: 'speex spex',
  AMR: 'amr_nb amrnb samr',
  'AMR-WB': 'amr_wb amrwb sawb',
  'AMR-WB+': 'sawp',
  EVS: 'evs sevs',
  EVRC: 'evrc sevc',
  QCELP: 'qcelp sqcp qclp',
  'SMPTE 302M': 's302m',
  GSM: 'gsm gsm_ms agsm 0x0031',
  'Windows Media Audio': 'wmav1 wmav2 wmapro wmalossless wmavoice 0x000a 0x0160 0x0161 0x0162 0x0163',
  RealAudio: 'cook sipr ralf ra_144 ra_288',
  ATRAC: 'atrac1 atrac3 atrac3al atrac3p atrac3pal atrac9',
  'QDesign Music': 'qdm2 qdmc',
  Nellymoser: 'nellymoser nmos',
  MACE: 'mace3 mace6 mac3 mac6',
  Musepack: 'musepack7 musepack8',
  'Monkey’s Audio': 'ape',
  TTA: 'tta a_tta1',
  WavPack: 'wavpack a_wavpack4',
  'DV audio': 'dvaudio vdva dvca',
  'G.711': 'pcm_alaw pcm_mulaw alaw ulaw 0x0006 0x0007',
  'G.719': 'g719',
  'G.722': 'adpcm_g722',
  'G.723.1': 'g723_1',
  'G.726': 'adpcm_g726 adpcm_g726le g726',
  'G.729': 'g729',
};

/** ffmpeg has dozens of each, which differ in how numbers are written. */
const FAMILIES: readonly (readonly [prefix: string, name: string])[] = [
  ['pcm_', 'PCM'],
  ['adpcm_', 'ADPCM'],
];

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(CODES).flatMap(([name, codes]) => codes.split(' ').map((code) => [code, name])),
);

/**
 * Returns what people call a codec, as in “H.265 (HEVC)” and “AC-4”; null if it isn't known.
 * @param id ffmpeg's name of a codec or decoder, or the code that a file has: a sample entry, a fourcc, a format tag as
 *   0x and four digits, or a Matroska codec. Case and the spaces that fill up a fourcc don't matter.
 */
export function codecName(id: string): string | null {
  const code = id.trim().toLowerCase();
  return NAMES.get(code) ?? FAMILIES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? null;
}
