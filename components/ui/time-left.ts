/** Formats a duration roughly, so that it doesn't change every second: `About 2 minutes left`. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 10) return 'A few seconds left';
  if (seconds < 55) return `About ${Math.ceil(seconds / 10) * 10} seconds left`;
  if (seconds < 90) return 'About a minute left';
  if (seconds < 55 * 60) return `About ${Math.round(seconds / 60)} minutes left`;
  const hours = Math.round(seconds / 1800) / 2;
  return hours === 1 ? 'About an hour left' : `About ${hours} hours left`;
}
