'use client';

import { useSyncExternalStore } from 'react';

const subscribeNever = () => () => undefined;

/** Shows a time in the reader's time zone, or in UTC until the script runs. */
export function LocalTime({ iso }: { iso: string }) {
  const format = (timeZone?: string) =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
      new Date(iso),
    );
  const text = useSyncExternalStore(
    subscribeNever,
    () => format(),
    () => `${format('UTC')} UTC`,
  );
  return <time dateTime={iso}>{text}</time>;
}
