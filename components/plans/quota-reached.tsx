import Link from 'next/link';
import { UpgradePlan } from './upgrade-plan';

/** What stands in the studio's place when the plan has no room: why, and both ways out. */
export function QuotaReached() {
  return (
    <div className="mx-auto flex max-w-prose flex-col items-center gap-5 py-16 text-center">
      <p role="status" className="heading text-[28px]">
        You have reached your plan's quota.
      </p>
      <p className="text-16 text-ink-2">
        Everything you have recorded stays yours to watch, edit, export and delete. Deleting entries frees
        room at once:{' '}
        <Link href="/journals" className="font-semibold text-accent-ink underline underline-offset-4">
          look through your journal
        </Link>
        .
      </p>
      <UpgradePlan startOpen />
    </div>
  );
}
