'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

const COOKIE_MAX_AGE = 365 * 24 * 3600;

/** Tells the server this browser's time zone in a cookie, and refreshes the page if it has changed. */
export function TimeZoneSync({ known }: { known: string | undefined }) {
  const router = useRouter();
  useEffect(() => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!zone || zone === known) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
    document.cookie = `daylight.zone=${encodeURIComponent(zone)}; path=/; max-age=${COOKIE_MAX_AGE}; samesite=lax`;
    router.refresh();
  }, [known, router]);
  return null;
}
