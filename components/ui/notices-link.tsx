import Link from 'next/link';

/** Leads to the licenses of the models and libraries that Daylight uses. */
export function NoticesLink() {
  return (
    <Link
      href="/notices"
      prefetch={false}
      className="inline-flex min-h-11 items-center rounded-8 px-1 text-14 text-ink-2 underline-offset-4 hover:text-ink hover:underline"
    >
      Open source notices
    </Link>
  );
}
