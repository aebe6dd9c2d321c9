'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';

const POLL_INTERVAL = 500;
const POLL_TIMEOUT = 60_000;

/**
 * Refreshes the page after a payment until the plan has changed. The change comes with Stripe's webhook, which can arrive
 * after the person does. Opening this address without paying changes nothing.
 */
export function PlanPoller({ bought, current }: { bought: string | undefined; current: string }) {
  const router = useRouter();
  const [isOver, setOver] = useState(false);
  const waiting = bought !== undefined && bought !== current;

  useEffect(() => {
    if (!waiting) return;
    const interval = setInterval(() => router.refresh(), POLL_INTERVAL);
    const timeout = setTimeout(() => {
      clearInterval(interval);
      setOver(true);
    }, POLL_TIMEOUT);
    return () => {
      clearInterval(interval);
      clearTimeout(timeout);
    };
  }, [waiting, router]);

  if (bought === undefined) return null;
  const status = isOver
    ? 'We haven’t received a payment. If you’ve paid, reload this page in a few minutes.'
    : 'Confirming your payment…';
  return (
    <p role="status" className="rounded-12 border border-line-strong p-3 text-15">
      {waiting ? status : `You’re now on the ${current} plan.`}
    </p>
  );
}
