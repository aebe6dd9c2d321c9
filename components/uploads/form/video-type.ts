/** Types of video files that browsers and systems often leave without one. */
const BY_EXTENSION: Record<string, string> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  qt: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  avi: 'video/x-msvideo',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  ogv: 'video/ogg',
  '3gp': 'video/3gpp',
  ts: 'video/mp2t',
  mts: 'video/mp2t',
  wmv: 'video/x-ms-wmv',
};

/**
 * The media type to declare for a file, without parameters; guessed from the extension when the browser gives none.
 * The server looks at the content in any case.
 * @returns null when it is not a video
 */
export function videoType(file: { name: string; type: string }): string | null {
  const [declared = ''] = file.type.toLowerCase().split(';');
  if (declared.startsWith('video/')) return declared.trim();
  if (declared) return null;
  const extension = /\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase() ?? '';
  return BY_EXTENSION[extension] ?? null;
}
