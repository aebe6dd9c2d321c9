'use client';

import { createContext, type ReactNode } from 'react';
import type { DateFormat } from '@/lib/journal/entries/shared/date-format';

/** How the reader wants dates. Read it with `useFormatDate`, which pages without dates don't load. */
export const DateFormatContext = createContext<DateFormat>('MM/DD/YYYY');

/** Makes the chosen date format known to the components of a page. */
export function DateFormatProvider({ format, children }: { format: DateFormat; children: ReactNode }) {
  return <DateFormatContext value={format}>{children}</DateFormatContext>;
}
