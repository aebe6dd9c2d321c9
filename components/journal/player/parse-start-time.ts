/** Parses the start time in `?t=`, in seconds. Returns null if it's missing or isn't a non-negative number. */
export function parseStartTime(t: string | string[] | undefined): number | null {
  if (typeof t !== 'string' || !/^\d{1,6}(\.\d{1,3})?$/.test(t)) return null;
  return Number(t);
}
