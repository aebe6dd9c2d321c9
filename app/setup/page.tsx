import { Check } from 'lucide';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { SetupForm } from '@/components/account/sign-in/setup-form';
import { Icon } from '@/components/ui/icon';
import { isSetupOpen, setupCodeSource } from '@/lib/account/setup/service';

/** Shows the page of an address that doesn't exist once there has been an account. */
async function requireOpenSetup(): Promise<void> {
  // The database is that of the run, not of the build.
  await connection();
  if (!(await isSetupOpen())) notFound();
}

export async function generateMetadata(): Promise<Metadata> {
  await requireOpenSetup();
  return { title: 'Setup', robots: { index: false, follow: false } };
}

const CHECK_ICON = <Icon of={Check} className="size-4 shrink-0" aria-hidden="true" />;

const WHERE = {
  settings: 'It’s in this site’s settings, so we know it’s you.',
  log: 'It’s in the log of this site’s first deploy, so we know it’s you.',
};

export default async function SetupPage() {
  await requireOpenSetup();
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col py-10 sm:py-14">
      <div className="flex flex-col gap-3 pb-8 sm:pb-10">
        <h1 className="heading text-[38px] sm:text-[52px]">Let’s set up your Daylight</h1>
        <p className="text-17 text-pretty text-ink-2">
          It belongs to you. You can change every answer later.
        </p>
      </div>
      <SetupForm whereCodeIs={WHERE[setupCodeSource()]} checkIcon={CHECK_ICON} />
    </div>
  );
}
