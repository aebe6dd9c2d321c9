/** Why some videos can't be played, in the page before they're sent, and on the server. */

/**
 * Returns the sentence for a picture that can't be decoded. A name with parentheses of its own, as in “H.266 (VVC)”, becomes
 * “(H.266, VVC)”.
 */
export const unreadableFormat = (name: string): string =>
  `This video is in a format we can’t read (${name.replace(/ \((.+)\)$/, ', $1')}). Export it as MP4, and upload that.`;

/** Its colors are in IPT, which other players take for YCbCr (Dolby Vision Profiles and Levels, table 1). */
export const DOLBY_VISION_5 =
  'This video is in Dolby Vision profile 5, which other players show in the wrong colors. Export it as HDR10, HLG, or SDR, and upload that.';
