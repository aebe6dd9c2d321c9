/** Describes a duration roughly, so that it doesn't change every second: `about 2 minutes`. */
export function roughDuration(seconds: number): string {
  if (seconds < 10) return 'a few seconds';
  if (seconds < 55) return `about ${Math.ceil(seconds / 10) * 10} seconds`;
  if (seconds < 90) return 'about a minute';
  if (seconds < 55 * 60) return `about ${Math.round(seconds / 60)} minutes`;
  const hours = Math.round(seconds / 1800) / 2;
  return hours === 1 ? 'about an hour' : `about ${hours} hours`;
}

/** Formats the time left roughly: `About 2 minutes left`. */
export function formatTimeLeft(seconds: number): string {
  const duration = roughDuration(seconds);
  return `${duration.charAt(0).toUpperCase()}${duration.slice(1)} left`;
}
