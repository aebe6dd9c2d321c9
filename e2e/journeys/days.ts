/** This day in an earlier year, the nth that has it: of a leap day, each is four years before the next. */
export function yearsAgo(nth: number): string {
  const today = new Date().toISOString().slice(0, 10);
  const apart = today.endsWith('-02-29') ? 4 : 1;
  return `${Number(today.slice(0, 4)) - nth * apart}${today.slice(4)}`;
}

/** The date so many days before today, `YYYY-MM-DD`. */
export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
