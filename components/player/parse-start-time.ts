/** The moment an address asks for with `?t=`, in seconds; null when it asks for none or not for a number from 0 on. */
export function parseStartTime(t: string | string[] | undefined): number | null {
  if (typeof t !== 'string' || !/^\d{1,6}(\.\d{1,3})?$/.test(t)) return null;
  return Number(t);
}
