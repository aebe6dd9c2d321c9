import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { api } from '@/lib/contract/client';
import type { planDetails } from '@/lib/plans/contract';

/** The seconds of video that the plan has left, asked when `active` begins; null until they are known. */
export function usePlanTimeLeft(active: boolean): number | null {
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    if (!active) return;
    let over = false;
    api<z.output<typeof planDetails.answer>>('GET', '/plan_details').then(
      ({ timeLimit, timeUse }) => over || setSeconds(timeLimit - timeUse),
      // A recording does not depend on it.
      () => {},
    );
    return () => {
      over = true;
    };
  }, [active]);
  return seconds;
}
