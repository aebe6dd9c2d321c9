import { ChevronLeft } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import { DeletionNotice } from '@/components/account/settings/deletion-notice';
import { SettingsNav } from '@/components/account/settings/settings-nav';
import { Icon } from '@/components/ui/icon';
import { NoticesLink } from '@/components/ui/notices-link';
import { PageHeading } from '@/components/ui/page-heading';
import { requireUser } from '@/lib/account/sessions/guards';
import { describeSettings } from './overview';
import { SETTINGS_GROUPS, SETTINGS_TABS } from './tabs';

export const metadata: Metadata = { title: 'Settings' };

/** The settings. On phones, the address without a tab is the list of them; wider windows show it next to each. */
export default async function SettingsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const user = await requireUser();
  const { tab, bought, choose, problem } = await searchParams;
  const open = SETTINGS_TABS.find((known) => known.id === tab);
  const { id, Content } = open ?? SETTINGS_TABS[0];
  return (
    <div className="gutter mx-auto grid w-full max-w-page gap-x-10 gap-y-6 py-6 sm:py-11 md:grid-cols-[232px_minmax(0,1fr)] lg:gap-x-[88px]">
      {/* The heading stays for screen readers where the list is hidden. */}
      <div className={`flex-col gap-6 md:flex ${open ? 'contents' : 'flex'}`}>
        <div className={open ? 'max-md:sr-only' : ''}>
          <PageHeading>Settings</PageHeading>
        </div>
        <div className={open ? 'max-md:hidden' : ''}>
          <SettingsNav
            groups={SETTINGS_GROUPS}
            current={id}
            values={open ? {} : await describeSettings(user)}
          />
        </div>
      </div>
      <div className={`flex min-w-0 flex-col gap-9 ${open ? '' : 'max-md:hidden'}`}>
        <Link
          href="/settings"
          className="-mb-5 -ml-2 inline-flex min-h-11 items-center gap-1.5 self-start rounded-8 pr-3 text-15 font-medium text-ink-2 hover:text-ink md:hidden"
        >
          <Icon of={ChevronLeft} aria-hidden="true" />
          Settings
        </Link>
        {user.erasesAt && <DeletionNotice erasesAt={user.erasesAt} />}
        <div className="flex flex-col gap-9">
          <Content
            user={user}
            bought={typeof bought === 'string' ? bought : undefined}
            choose={typeof choose === 'string' ? choose : undefined}
            problem={typeof problem === 'string' ? problem : undefined}
          />
        </div>
        <footer className="border-t border-line pt-4">
          <NoticesLink />
        </footer>
      </div>
    </div>
  );
}
