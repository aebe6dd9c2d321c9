'use client';

import { type ReactNode, useEffect, useState } from 'react';

/**
 * Shows `loading` for at least so many milliseconds, then `children`. Counted in the browser, because what the
 * server waits for may be over before the first paint.
 */
export function MinLoadingTime({
  milliseconds,
  loading,
  children,
}: {
  milliseconds: number;
  loading: ReactNode;
  children: ReactNode;
}) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return over ? children : loading;
}
