/** A track of a video, as its container describes it. */
export interface Track {
  kind: 'video' | 'audio' | 'other';
  /**
   * What the container calls its codec: a sample entry or a fourcc of four characters, a format tag or a stream type as 0x
   * and hexadecimal digits, a Matroska codec, or ffmpeg's name; empty if it doesn't tell.
   */
  codec: string;
  /** Whether it's encrypted. */
  isProtected: boolean;
  /** Of Dolby Vision; null without. */
  dolbyVisionProfile: number | null;
}

/** The tracks of a file. */
export interface TrackList {
  tracks: Track[];
  /** Whether it surely has no other tracks with pictures or sound. */
  isComplete: boolean;
}

/** Returns a track with what's known of it. */
export const toTrack = (kind: Track['kind'], codec: string, known: Partial<Track> = {}): Track => ({
  ...{ kind, codec, isProtected: false, dolbyVisionProfile: null },
  ...known,
});

/**
 * Returns the profile in a Dolby Vision configuration record: seven bits after two bytes of a version (Dolby Vision Streams
 * Within the ISO Base Media File Format, 3.2; the descriptor of MPEG transport streams starts with the same bytes).
 */
export const readDolbyVisionProfile = (record: DataView): number => record.getUint8(2) >> 1;

/** Returns a number as 0x and at least this many hexadecimal digits. */
export const hexCode = (value: number, digits: number): string =>
  `0x${value.toString(16).padStart(digits, '0')}`;
