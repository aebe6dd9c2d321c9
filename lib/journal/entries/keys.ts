/** Everything of an entry lies below this prefix, so that one listing finds all of it. */
export function entryPrefix(userId: string, entryId: string): string {
  return `entries/${userId}/${entryId}/`;
}

/** Object keys of an entry; derived, never stored twice, so that a repeated job writes to the same place. */
export function entryKey(
  userId: string,
  entryId: string,
  name:
    | 'source'
    | 'remux.mp4'
    | 'remux.webm'
    | 'video.mp4'
    | 'small.mp4'
    | 'thumbnail.jpg'
    | 'storyboard.jpg'
    | `speech-${number}.${string}`,
): string {
  return `${entryPrefix(userId, entryId)}${name}`;
}
