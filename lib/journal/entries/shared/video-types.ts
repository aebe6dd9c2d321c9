/** Media types of video by extension; of extensions with the same type, the most common comes first. */
export const VIDEO_TYPES: ReadonlyMap<string, string> = new Map([
  ['mp4', 'video/mp4'],
  ['m4v', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['qt', 'video/quicktime'],
  ['webm', 'video/webm'],
  ['mkv', 'video/x-matroska'],
  ['avi', 'video/x-msvideo'],
  ['flv', 'video/x-flv'],
  ['mpg', 'video/mpeg'],
  ['mpeg', 'video/mpeg'],
  ['ogv', 'video/ogg'],
  ['3gp', 'video/3gpp'],
  ['ts', 'video/mp2t'],
  ['mts', 'video/mp2t'],
  ['wmv', 'video/x-ms-wmv'],
]);
