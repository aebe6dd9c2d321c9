import Link from 'next/link';

/** Leads to where years of videos can be imported. */
export function ImportLink() {
  return (
    <>
      Have years of videos?{' '}
      <Link
        href="/upload/import"
        className="inline-flex min-h-11 items-center font-semibold text-accent-ink underline underline-offset-4"
      >
        Import folders, Google Photos, or Day One
      </Link>
    </>
  );
}
