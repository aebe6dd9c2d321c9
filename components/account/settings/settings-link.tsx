'use client';

import Link from 'next/link';
import { useSelectedLayoutSegment } from 'next/navigation';
import type { ComponentProps } from 'react';
import type { SettingsPage } from './settings-pages';

/** A link to a page of the settings, marked while that page is open. `/settings` itself opens the profile. */
export function SettingsLink({
  page,
  ...props
}: { page: SettingsPage } & Omit<ComponentProps<typeof Link>, 'href'>) {
  const open = useSelectedLayoutSegment() ?? 'profile';
  return <Link {...props} href={`/settings/${page}`} aria-current={page === open ? 'page' : undefined} />;
}
