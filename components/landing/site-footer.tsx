import { FooterLink } from '@/components/ui/footer-link';
import { Logo } from '@/components/ui/logo';
import { sourceUrl } from '@/lib/foundation/site';

/** Ends the pages that anyone can read. */
export function SiteFooter() {
  const source = sourceUrl();
  return (
    <footer className="mt-auto border-t border-line">
      <div className="gutter mx-auto flex w-full max-w-page flex-wrap items-center justify-between gap-x-8 gap-y-3 py-6">
        <Logo />
        <ul className="-mx-1 flex flex-wrap gap-x-5">
          <li>
            <FooterLink href="/privacy">Privacy</FooterLink>
          </li>
          <li>
            <FooterLink href="/terms">Terms</FooterLink>
          </li>
          {source && (
            <li>
              <FooterLink href={source} rel="noreferrer">
                Source code
              </FooterLink>
            </li>
          )}
          <li>
            <FooterLink href="/notices">Open source notices</FooterLink>
          </li>
          <li>
            <FooterLink href="/login">Login</FooterLink>
          </li>
        </ul>
      </div>
    </footer>
  );
}
