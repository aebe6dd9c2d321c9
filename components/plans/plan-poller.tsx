'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';

const POLL_INTERVAL = 500;
const POLL_TIMEOUT = 60_000;

/**
 * After a payment: looks again until the plan is there. It comes by Stripe's webhook, which may be a moment later
 * than the person; the address alone, without a payment, changes nothing.
 */
export function PlanPoller({ bought, current }: { bought?: string | undefined; current: string }) {
  const router = useRouter();
  const [polling, setPatient] = useState(true);
  const waiting = bought !== undefined && bought !== current;

  useEffect(() => {
    if (!waiting) return;
    const again = setInterval(() => router.refresh(), POLL_INTERVAL);
    const enough = setTimeout(() => {
      clearInterval(again);
      setPatient(false);
    }, POLL_TIMEOUT);
    return () => {
      clearInterval(again);
      clearTimeout(enough);
    };
  }, [waiting, router]);

  if (bought === undefined) return null;
  const news = waiting ? 'Waiting for the payment to be confirmed…' : `You are on the ${current} plan now.`;
  return (
    <p role="status" className="rounded-12 border border-line-strong p-3 text-15">
      {waiting && !polling
        ? 'No payment has been confirmed. If you have paid, please reload this page later.'
        : news}
    </p>
  );
}
