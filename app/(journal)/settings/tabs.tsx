import {
  CreditCard,
  Gauge,
  History,
  type IconNode,
  MonitorSmartphone,
  Package,
  ShieldCheck,
  SlidersHorizontal,
  Tag,
  Trash2,
  UserRound,
  Video,
} from 'lucide';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import {
  LazyHiddenMemories,
  LazyPreferencesForm,
  LazyTagSettings,
  LazyTrashList,
  LazyWeeklyLetterForm,
} from '@/components/account/settings/lazy-forms';
import { ProfileForm } from '@/components/account/settings/profile-form';
import { BillingPortal } from '@/components/billing/billing-portal';
import { ThisDevice } from '@/components/journal/saved-entries/this-device';
import { ReminderForm } from '@/components/reminders/reminder-form';
import { ThemeChoice } from '@/components/shell/theme/theme-choice';
import { Section } from '@/components/ui/section';
import { currentPreferences, currentTimeZone } from '@/lib/account/preferences/current';
import { presentProfile, videoSettings } from '@/lib/account/profile/service';
import type { User } from '@/lib/account/sessions/service';
import { planDetails, sitePlan } from '@/lib/billing/plans/service';
import { listTrash } from '@/lib/journal/entries/trash';
import { listHidden } from '@/lib/journal/memories/service';
import { listTags } from '@/lib/journal/tags/service';
import { getReminder } from '@/lib/reminders/service';
import { getWeeklyLetter } from '@/lib/reminders/weekly-letter';
import { DataTab } from './data-tab';
import { PlanTab } from './plan-tab';
import { SecurityTab } from './security-tab';

/** Returns the browser's time zone, which it sends in a cookie. */
const browserZone = async () => (await cookies()).get('daylight.zone')?.value;

async function ProfileTab({ user }: { user: User }) {
  const [reminder, letter, { timeZone }, zone] = await Promise.all([
    getReminder(user.id),
    getWeeklyLetter(user.id),
    currentPreferences(),
    currentTimeZone(),
  ]);
  return (
    <>
      <Section title="Profile">
        <ProfileForm profile={presentProfile(user)} />
      </Section>
      <Section
        title="Reminders"
        lead="An email with a question, once a day. You won’t get one on days you’ve already recorded."
      >
        <ReminderForm reminder={reminder} zone={zone} />
      </Section>
      <Section
        title="Weekly letter"
        lead="Your week in three sentences, by email on Sunday evenings. The letter quotes your entries. Anyone who can read your email can read it."
      >
        <LazyWeeklyLetterForm letter={letter} chosen={timeZone} known={zone} />
      </Section>
    </>
  );
}

async function PreferencesTab() {
  const preferences = await currentPreferences();
  return (
    <>
      <Section title="Appearance" lead="Saved for your account, and remembered in this browser.">
        <div className="max-w-[400px]">
          <ThemeChoice theme={preferences.theme} />
        </div>
      </Section>
      <Section title="Time and dates" lead="Dates you type are always MM/DD/YYYY.">
        <LazyPreferencesForm preferences={preferences} zone={await browserZone()} />
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
      lead="Select Sync to save changes to names and colors. Deleting a tag removes it from every entry."
    >
      <LazyTagSettings tags={await listTags(user.id)} />
    </Section>
  );
}

async function MemoriesTab({ user }: { user: User }) {
  return (
    <Section
      title="Memories"
      lead="Anything you hide on the dashboard stops appearing in On This Day and Surprise me. It stays in your journal and in search."
    >
      <LazyHiddenMemories
        memories={await listHidden(user.id)}
        dateFormat={(await currentPreferences()).dateFormat}
      />
    </Section>
  );
}

async function DeviceTab({ user }: { user: User }) {
  return <ThisDevice owner={user.id} dateFormat={(await currentPreferences()).dateFormat} />;
}

async function TrashTab({ user }: { user: User }) {
  const [trashed, { storageLimit }, { dateFormat }] = await Promise.all([
    listTrash(user.id),
    planDetails(user.id),
    currentPreferences(),
  ]);
  return (
    <Section
      title="Trash"
      lead="Deleted entries stay here for up to 30 days, and don’t count toward your plan’s limits. When the trash is full, the entries that have been here longest are deleted forever to make space."
    >
      <LazyTrashList entries={trashed} limit={storageLimit} dateFormat={dateFormat} />
    </Section>
  );
}

interface SettingsTab {
  /** The value of `?tab=`. */
  id: string;
  label: string;
  icon: IconNode;
  /**
   * `bought` is the plan that was just paid for, `choose` the one that somebody came to pay for, and `problem` the error
   * that a provider returned.
   */
  Content: (props: {
    user: User;
    bought?: string | undefined;
    choose?: string | undefined;
    problem?: string | undefined;
  }) => ReactNode | Promise<ReactNode>;
}

const YOU = [
  { id: 'profile', label: 'Profile', icon: UserRound, Content: ProfileTab },
  { id: 'preferences', label: 'Preferences', icon: SlidersHorizontal, Content: PreferencesTab },
  { id: 'security', label: 'Security', icon: ShieldCheck, Content: SecurityTab },
  { id: 'video', label: 'Video Settings', icon: Video, Content: VideoTab },
] as const satisfies readonly SettingsTab[];

const YOUR_JOURNAL = [
  { id: 'tags', label: 'Tags', icon: Tag, Content: TagsTab },
  { id: 'memories', label: 'Memories', icon: History, Content: MemoriesTab },
  { id: 'data', label: 'Your Data', icon: Package, Content: DataTab },
  { id: 'trash', label: 'Trash', icon: Trash2, Content: TrashTab },
  { id: 'device', label: 'This device', icon: MonitorSmartphone, Content: DeviceTab },
] as const satisfies readonly SettingsTab[];

const YOUR_PLAN = [
  { id: 'plan', label: 'Plan Details', icon: Gauge, Content: PlanTab },
  { id: 'billing', label: 'Billing + Invoicing', icon: CreditCard, Content: BillingTab },
] as const satisfies readonly SettingsTab[];

/** The pages of the settings, as the list shows them. */
export const SETTINGS_GROUPS = [
  { name: 'You', tabs: YOU },
  { name: 'Your journal', tabs: YOUR_JOURNAL },
  { name: 'Your plan', tabs: YOUR_PLAN },
];

/** All of them in one list. The first one is the default. */
export const SETTINGS_TABS = [...YOU, ...YOUR_JOURNAL, ...YOUR_PLAN] as const;
export type SettingsTabId = (typeof SETTINGS_TABS)[number]['id'];
