import type { Metadata } from 'next';
import { NoticesLink } from '@/components/nav/notices-link';
import { DeletionNotice } from '@/components/settings/deletion-notice';
import { SettingsNav } from '@/components/settings/settings-nav';
import { PageHeading } from '@/components/ui/page-heading';
import { requireUser } from '@/lib/sessions/guards';
import { SETTINGS_TABS } from './tabs';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const user = await requireUser();
  const { tab, bought, problem } = await searchParams;
  const { id, Content } = SETTINGS_TABS.find((known) => known.id === tab) ?? SETTINGS_TABS[0];
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col gap-7 py-8 sm:py-11">
      <PageHeading>Settings</PageHeading>
      {user.erasesAt && <DeletionNotice erasesAt={user.erasesAt} />}
      <div className="grid gap-6 md:grid-cols-[220px_minmax(0,1fr)] md:gap-10">
        <SettingsNav tabs={SETTINGS_TABS} current={id} />
        <div className="flex min-w-0 max-w-[720px] flex-col gap-6">
          <Content
            user={user}
            bought={typeof bought === 'string' ? bought : undefined}
            problem={typeof problem === 'string' ? problem : undefined}
          />
        </div>
      </div>
      <footer>
        <NoticesLink />
      </footer>
    </div>
  );
}
