'use client';

import { type ReactNode, useEffect, useState } from 'react';

/**
 * Shows `loading` for at least `milliseconds`, then `children`. The time is counted in the browser, because the server
 * may be done before the first paint.
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
  const [elapsed, setElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return elapsed ? children : loading;
}
