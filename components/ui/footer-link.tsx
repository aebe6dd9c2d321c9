import Link from 'next/link';
import type { ComponentProps } from 'react';

/** A link in the footer of a page. */
export function FooterLink(props: ComponentProps<typeof Link>) {
  return (
    <Link
      {...props}
      prefetch={false}
      className="inline-flex min-h-11 items-center rounded-8 px-1 text-14 text-ink-2 underline-offset-4 hover:text-ink hover:underline"
    />
  );
}
