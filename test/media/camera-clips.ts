import { box, movieHeader, quickTimeMeta } from './small-clips';

/** What a generated movie has besides its times. */
interface CameraFacts {
  /** Milliseconds since 1970, as if it was UTC. */
  createdAt?: number;
  seconds?: number;
  /** Boxes of `udta`. */
  userData?: Buffer[];
  /** `trak` boxes, as {@link track} and {@link stillTimeTrack} return them. */
  tracks?: Buffer[];
  /** QuickTime's metadata, by key. */
  keys?: Record<string, string>;
}

/** Returns a track with a handler's type and its name, which starts with its length in QuickTime's form. */
export function track(type: string, name: string, ...inner: Buffer[]): Buffer {
  const handler = box('hdlr', Buffer.alloc(8), type, Buffer.alloc(12), Buffer.from([name.length]), name);
  return box(
    'trak',
    box('tkhd', Buffer.alloc(84)),
    box('mdia', box('mdhd', Buffer.alloc(24)), handler, ...inner),
  );
}

/** Returns the track with the moment of a Live Photo's picture, as iPhones write it. */
export function stillTimeTrack(): Buffer {
  const key = box('keyd', 'mdtacom.apple.quicktime.still-image-time');
  const sample = box('mebx', Buffer.alloc(8), box('keys', box('\0\0\0\x01', key)));
  const samples = box('stsd', Buffer.alloc(8), sample);
  return track('meta', 'Core Media Metadata', box('minf', box('stbl', samples)));
}

/** Returns an element of a GoPro's settings; type 0 has others inside. */
function setting(key: string, type: string, value: Buffer, size = value.length): Buffer {
  const head = Buffer.from(`${key}${type}\0\0\0`, 'latin1');
  head.writeUInt8(type === '\0' ? 1 : size, 5);
  head.writeUInt16BE(type === '\0' ? value.length : value.length / size, 6);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

/**
 * Returns the `GPMF` box of a GoPro's user data.
 * @param clock what its clock showed in milliseconds since 1970; null for none
 * @param zone minutes ahead of UTC; null for a model without a time zone
 */
export function goProSettings(clock: number | null, zone: number | null = null): Buffer {
  const seconds = Buffer.alloc(8);
  seconds.writeBigInt64BE(BigInt(Math.floor((clock ?? 0) / 1000)));
  const settings = [
    setting('DVID', 'L', Buffer.from([0, 0, 0, 1])),
    // Padded to four bytes.
    setting('MINF', 'c', Buffer.from('HERO11 Mini'), 1),
    ...(clock === null ? [] : [setting('CDAT', 'J', seconds)]),
    ...(zone === null ? [] : [setting('TZON', 's', Buffer.from([zone >> 8, zone & 255]))]),
  ];
  return box('GPMF', setting('DEVC', '\0', Buffer.concat(settings)));
}

/** Returns an MP4 or QuickTime file with what a camera writes into its header, and without samples. */
export function cameraClip({ userData = [], tracks = [], keys, ...facts }: CameraFacts): Buffer {
  const meta = keys ? [quickTimeMeta(keys)] : [];
  const udta = userData.length > 0 ? [box('udta', ...userData)] : [];
  const moov = box('moov', movieHeader(facts), ...tracks, ...udta, ...meta);
  return Buffer.concat([box('ftyp', 'mp41', Buffer.alloc(4)), box('mdat', Buffer.alloc(64)), moov]);
}
