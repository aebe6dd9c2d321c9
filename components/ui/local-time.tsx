'use client';

import { useHydrated } from './use-hydrated';

/** Shows a time in the reader's time zone, or in UTC until the script runs. */
export function LocalTime({ iso }: { iso: string }) {
  const isLocal = useHydrated();
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: isLocal ? undefined : 'UTC' } as const;
  const text = new Intl.DateTimeFormat('en-US', options).format(new Date(iso));
  return <time dateTime={iso}>{isLocal ? text : `${text} UTC`}</time>;
}
