import type { ReactNode } from 'react';
import type { User } from '@/lib/sessions/service';
import { BillingTab } from './tabs/billing';
import { MemoriesTab } from './tabs/memories';
import { PlanTab } from './tabs/plan';
import { ProfileTab } from './tabs/profile';
import { SecurityTab } from './tabs/security';
import { TagsTab } from './tabs/tags';
import { TrashTab } from './tabs/trash';
import { VideoTab } from './tabs/video';

interface SettingsTab {
  /** What `?tab=` says. */
  id: string;
  label: string;
  /** `bought` is the plan whose payment one has just come back from, `problem` what a provider has come back with. */
  Content: (props: {
    user: User;
    bought?: string | undefined;
    problem?: string | undefined;
  }) => ReactNode | Promise<ReactNode>;
}

/** The tabs of the settings in the order of the sidebar; the first is shown when none is named. */
export const SETTINGS_TABS = [
  { id: 'profile', label: 'Profile', Content: ProfileTab },
  { id: 'security', label: 'Security', Content: SecurityTab },
  { id: 'video', label: 'Video Settings', Content: VideoTab },
  { id: 'plan', label: 'Plan Details', Content: PlanTab },
  { id: 'billing', label: 'Billing + Invoicing', Content: BillingTab },
  { id: 'tags', label: 'Tags', Content: TagsTab },
  { id: 'memories', label: 'Memories', Content: MemoriesTab },
  { id: 'trash', label: 'Trash', Content: TrashTab },
] as const satisfies readonly [SettingsTab, ...SettingsTab[]];
