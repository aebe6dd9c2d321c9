import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { BillingPortal } from '@/components/billing/billing-portal';
import { ThisDevice } from '@/components/kept/this-device';
import { PlanDetails } from '@/components/plans/plan-details';
import { ReminderForm } from '@/components/reminders/reminder-form';
import { HiddenMemories } from '@/components/settings/hidden-memories';
import { ProfileForm } from '@/components/settings/profile-form';
import { Section } from '@/components/settings/section';
import { TagSettings } from '@/components/tags/tag-settings';
import { TrashList } from '@/components/trash/trash-list';
import { getBillingStatus } from '@/lib/billing/service';
import { listTrash } from '@/lib/entries/trash';
import { listHidden } from '@/lib/memories/service';
import { PLAN_TYPES } from '@/lib/plans/limits';
import { type PlanSource, planDetails, planSource, sitePlan } from '@/lib/plans/service';
import { getReminder } from '@/lib/reminders/service';
import type { User } from '@/lib/sessions/service';
import { presentProfile, videoSettings } from '@/lib/settings/service';
import { listTags } from '@/lib/tags/service';
import { DataTab } from './data-tab';
import { SecurityTab } from './security-tab';

async function ProfileTab({ user }: { user: User }) {
  const zone = (await cookies()).get('daylight.zone')?.value;
  return (
    <>
      <Section title="Profile">
        <ProfileForm profile={presentProfile(user)} />
      </Section>
      <Section
        title="Reminders"
        lead="An email with a question, once a day. You won’t get one on days you’ve already recorded."
      >
        <ReminderForm reminder={await getReminder(user.id)} zone={zone} />
      </Section>
    </>
  );
}

function VideoTab() {
  const { transcriptionLanguage, compressionType } = videoSettings();
  const settings = { 'Transcription language': transcriptionLanguage, 'Compression type': compressionType };
  return (
    <Section title="Video Settings" lead="How your videos are transcribed and prepared for playback.">
      <dl className="flex flex-col">
        {Object.entries(settings).map(([name, value]) => (
          <div
            key={name}
            className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-b border-line py-3 last:border-b-0"
          >
            <dt className="text-15 text-ink-2">{name}</dt>
            <dd className="text-15 font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const PLAN_LEAD: Record<PlanSource, string> = {
  subscription: 'Your current usage.',
  operator: 'The people who run this site gave you this plan, so you don’t pay for it.',
  site: 'This site doesn’t charge, so you have this plan for free.',
};

async function PlanTab({ user, bought }: { user: User; bought?: string | undefined }) {
  const [details, source, outlook] = await Promise.all([
    planDetails(user.id),
    planSource(user.id),
    getBillingStatus(user.id),
  ]);
  return (
    <Section title="Plan Details" lead={`${PLAN_LEAD[source]} Deleting entries frees up space right away.`}>
      <PlanDetails
        details={details}
        source={source}
        outlook={outlook}
        bought={PLAN_TYPES.find((plan) => plan === bought)}
      />
    </Section>
  );
}

function BillingTab() {
  if (sitePlan()) {
    return (
      <Section
        title="Billing + Invoicing"
        lead="This site doesn’t charge, so there are no invoices and no card to keep up to date."
      />
    );
  }
  return (
    <Section
      title="Billing + Invoicing"
      lead="Stripe handles our payments. Open the portal to see invoices, update your card, or change your plan. We never see your card number."
    >
      <div>
        <BillingPortal />
      </div>
    </Section>
  );
}

async function TagsTab({ user }: { user: User }) {
  return (
    <Section
      title="Tags"
      lead="Deleting a tag removes it from every entry. Select Sync to save your other changes."
    >
      <TagSettings tags={await listTags(user.id)} />
    </Section>
  );
}

async function MemoriesTab({ user }: { user: User }) {
  return (
    <Section
      title="Memories"
      lead="Anything you hide on the dashboard stops appearing in On This Day and Surprise me. It stays in your journal and in search."
    >
      <HiddenMemories memories={await listHidden(user.id)} />
    </Section>
  );
}

function DeviceTab({ user }: { user: User }) {
  return <ThisDevice owner={user.id} />;
}

async function TrashTab({ user }: { user: User }) {
  return (
    <Section
      title="Trash"
      lead="Deleted entries stay here for 30 days. They don’t count toward your plan’s limits."
    >
      <TrashList entries={await listTrash(user.id)} />
    </Section>
  );
}

interface SettingsTab {
  /** The value of `?tab=`. */
  id: string;
  label: string;
  /** `bought` is the plan that was just paid for, and `problem` the error that a provider returned. */
  Content: (props: {
    user: User;
    bought?: string | undefined;
    problem?: string | undefined;
  }) => ReactNode | Promise<ReactNode>;
}

/** The settings tabs, in the order of the sidebar. The first one is the default. */
export const SETTINGS_TABS = [
  { id: 'profile', label: 'Profile', Content: ProfileTab },
  { id: 'security', label: 'Security', Content: SecurityTab },
  { id: 'video', label: 'Video Settings', Content: VideoTab },
  { id: 'plan', label: 'Plan Details', Content: PlanTab },
  { id: 'billing', label: 'Billing + Invoicing', Content: BillingTab },
  { id: 'tags', label: 'Tags', Content: TagsTab },
  { id: 'memories', label: 'Memories', Content: MemoriesTab },
  { id: 'trash', label: 'Trash', Content: TrashTab },
  { id: 'device', label: 'This device', Content: DeviceTab },
  { id: 'data', label: 'Your Data', Content: DataTab },
] as const satisfies readonly [SettingsTab, ...SettingsTab[]];
