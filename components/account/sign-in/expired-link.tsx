import Link from 'next/link';
import { PageHeading } from '@/components/ui/page-heading';

/** Says that a security email's link no longer works, and what to do instead. */
export function ExpiredLink() {
  return (
    <>
      <PageHeading lead="Links work once, for 72 hours, and stop working if an earlier change is undone.">
        This link is no longer valid
      </PageHeading>
      <p className="text-15 text-ink-2">
        If you think someone else is using your account,{' '}
        <Link href="/reset_password" className="font-semibold text-accent-ink underline underline-offset-4">
          reset your password
        </Link>{' '}
        now.
      </p>
    </>
  );
}
