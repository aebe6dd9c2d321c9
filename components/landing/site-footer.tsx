import Link from 'next/link';
import { Logo } from '@/components/ui/logo';
import { NoticesLink } from '@/components/ui/notices-link';

const FOOTER_LINK =
  'inline-flex min-h-11 items-center rounded-8 px-1 text-14 text-ink-2 underline-offset-4 hover:text-ink hover:underline';

/** Ends the pages that anyone can read. @param source where the source code is */
export function SiteFooter({ source }: { source: string | null }) {
  return (
    <footer className="mt-auto border-t border-line">
      <div className="gutter mx-auto flex w-full max-w-page flex-wrap items-center justify-between gap-x-8 gap-y-3 py-6">
        <Logo />
        <ul className="-mx-1 flex flex-wrap gap-x-5">
          <li>
            <Link href="/privacy" prefetch={false} className={FOOTER_LINK}>
              Privacy
            </Link>
          </li>
          <li>
            <Link href="/terms" prefetch={false} className={FOOTER_LINK}>
              Terms
            </Link>
          </li>
          {source && (
            <li>
              <a href={source} rel="noreferrer" className={FOOTER_LINK}>
                Source code
              </a>
            </li>
          )}
          <li>
            <NoticesLink />
          </li>
          <li>
            <Link href="/login" prefetch={false} className={FOOTER_LINK}>
              Login
            </Link>
          </li>
        </ul>
      </div>
    </footer>
  );
}
