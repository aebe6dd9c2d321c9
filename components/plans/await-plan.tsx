'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';

const EVERY = 500;
const AT_MOST = 60_000;

/**
 * After a payment: looks again until the plan is there. It comes by Stripe's webhook, which may be a moment later
 * than the person; the address alone, without a payment, changes nothing.
 */
export function AwaitPlan({ bought, current }: { bought?: string | undefined; current: string }) {
  const router = useRouter();
  const [patient, setPatient] = useState(true);
  const waiting = bought !== undefined && bought !== current;

  useEffect(() => {
    if (!waiting) return;
    const again = setInterval(() => router.refresh(), EVERY);
    const enough = setTimeout(() => {
      clearInterval(again);
      setPatient(false);
    }, AT_MOST);
    return () => {
      clearInterval(again);
      clearTimeout(enough);
    };
  }, [waiting, router]);

  if (bought === undefined) return null;
  const news = waiting ? 'Waiting for the payment to be confirmed…' : `You are on the ${current} plan now.`;
  return (
    <p role="status" className="rounded-12 border border-line-strong p-3 text-15">
      {waiting && !patient
        ? 'No payment has been confirmed. If you have paid, please reload this page later.'
        : news}
    </p>
  );
}
