/** Everything of an entry lies below this prefix, so that one listing finds all of it. */
export function entryPrefix(userId: string, entryId: string): string {
  return `entries/${userId}/${entryId}/`;
}

/** Returns which of an entry's objects has what was uploaded. */
export const originalName = ({ storedOnce }: { storedOnce: boolean }): 'source' | 'video.mp4' =>
  storedOnce ? 'video.mp4' : 'source';

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
