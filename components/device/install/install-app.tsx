'use client';

import { type ReactNode, useSyncExternalStore } from 'react';
import { Button } from '@/components/ui/button';
import { Section } from '@/components/ui/section';
import { showError } from '@/components/ui/show-error';
import { askToInstall, type InstallState, installStore } from './install-prompt';

const LEAD =
  'The app has its own window and icon, records without a network, and takes videos that you share to it from other apps.';

const IOS_STEPS = [
  'Upload recordings that are saved in this browser. The app can’t see them.',
  'Select Share, then Add to Home Screen, then Add.',
  'Open Daylight from your home screen, and log in.',
];

const CONTENT: Record<InstallState, () => ReactNode> = {
  window: () => <p className="text-15">Installed. You’re using the app now.</p>,
  installed: () => (
    <p className="text-15">Installed. Open Daylight from your home screen or your list of apps.</p>
  ),
  ready: () => (
    <div>
      <Button onClick={() => void askToInstall().catch(showError)}>Install Daylight</Button>
    </div>
  ),
  ios: () => (
    <>
      <ol className="flex list-decimal flex-col gap-1.5 pl-5 text-15">
        {IOS_STEPS.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="text-14 text-ink-2">On iPhone and iPad, other apps can’t share videos to it.</p>
    </>
  ),
  manual: () => (
    <p className="text-15 text-pretty">
      If your browser can install Daylight, its menu has “Install app”, “Add to Home screen”, or “Add to
      Dock”. If none is there, Daylight may already be installed, or the browser can’t install apps.
    </p>
  ),
};

/** Says what installing Daylight gives, and installs it or says how. */
export function InstallApp() {
  const state = useSyncExternalStore(installStore.subscribe, installStore.get, (): InstallState => 'manual');
  return (
    <Section title="Install Daylight" lead={LEAD}>
      <div role="status">{CONTENT[state]()}</div>
    </Section>
  );
}
