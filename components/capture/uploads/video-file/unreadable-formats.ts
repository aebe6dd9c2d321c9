/** Kinds of files with videos that can't be played: where a signature is, the signature, and what people call them. */
const FORMATS: readonly (readonly [at: number, signature: string, name: string])[] = [
  // A partition pack (SMPTE ST 377-1, 7.1).
  [0, '\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02', 'MXF'],
  [0, '.RMF', 'RealMedia'],
  // The GUID of a recording by Windows Media Center.
  [0, '\xb7\xd8\x00\x20\x37\x49\xda\x11\xa6\x4e\x00\x07\xe9\x5e\xad\x8d', 'Windows Recorded TV'],
  [4, 'RED1', 'REDCODE RAW'],
  [4, 'RED2', 'REDCODE RAW'],
  [4, 'ftypcrx ', 'Canon Cinema RAW'],
];

/** Flash animations, which are uncompressed, or compressed in one of two ways. A text has no version, which is small. */
const isFlash = (head: string): boolean => /^[FCZ]WS/.test(head) && head.charCodeAt(3) < 0x20;

/**
 * Returns the name of a kind of video that can't be played, by a file's first bytes with a character for each; null for
 * other files.
 */
export function findUnreadableFormat(head: string): string | null {
  const found = FORMATS.find(([at, signature]) => head.startsWith(signature, at));
  return found?.[2] ?? (isFlash(head) ? 'Flash' : null);
}
