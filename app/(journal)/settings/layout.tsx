import { ChevronLeft } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { DeletionNotice } from '@/components/account/settings/keep-account';
import { SettingsNav } from '@/components/account/settings/settings-nav';
import { FooterLink } from '@/components/ui/footer-link';
import { Icon } from '@/components/ui/icon';
import { PageHeading } from '@/components/ui/page-heading';
import { requireUser } from '@/lib/account/sessions/guards';

export const metadata: Metadata = {
  title: { default: 'Settings', template: '%s · Settings · Daylight' },
};

/**
 * Shows the open page of the settings next to the list of them. On phones, `/settings` is that list and the others have
 * a link back to it.
 */
export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const { erasesAt } = await requireUser();
  return (
    <div className="group/settings gutter mx-auto grid w-full max-w-page gap-x-10 gap-y-6 py-6 sm:py-11 md:grid-cols-[232px_minmax(0,1fr)] lg:gap-x-[88px]">
      <div className="contents flex-col gap-6 md:flex">
        {/* The heading stays for screen readers where the list is hidden. */}
        <div className="max-md:sr-only max-md:group-has-[#settings-list]/settings:not-sr-only">
          <PageHeading>Settings</PageHeading>
        </div>
        <div className="max-md:hidden">
          <SettingsNav />
        </div>
      </div>
      <div className="flex min-w-0 flex-col gap-9">
        <Link
          href="/settings"
          className="-mb-5 -ml-2 inline-flex min-h-11 items-center gap-1.5 self-start rounded-8 pr-3 text-15 font-medium text-ink-2 group-has-[#settings-list]/settings:hidden hover:text-ink md:hidden"
        >
          <Icon of={ChevronLeft} aria-hidden="true" />
          Settings
        </Link>
        {erasesAt && <DeletionNotice erasesAt={erasesAt.toISOString()} />}
        <div className="flex flex-col gap-9">{children}</div>
        <footer className="border-t border-line pt-4">
          <FooterLink href="/notices">Open source notices</FooterLink>
        </footer>
      </div>
    </div>
  );
}
