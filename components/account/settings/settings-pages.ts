/** The pages of the settings, by the last part of their addresses. */
export const SETTINGS_PAGES = {
  profile: 'Profile',
  preferences: 'Preferences',
  security: 'Security',
  video: 'Video Settings',
  tags: 'Tags',
  memories: 'Memories',
  data: 'Your Data',
  trash: 'Trash',
  device: 'This device',
  plan: 'Plan Details',
  billing: 'Billing + Invoicing',
} as const;

export type SettingsPage = keyof typeof SETTINGS_PAGES;
