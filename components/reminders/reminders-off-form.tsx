'use client';

import { useState } from 'react';
import { FormResult } from '@/components/accounts/form-result';
import { Button } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/page-heading';
import { useForm } from '@/components/ui/use-form';
import { call } from '@/lib/contract/client';
import { unsubscribe } from '@/lib/reminders/routes';

/** Links to the settings. A plain link, because its reader may not be signed in. */
function SettingsLink({ children }: { children: string }) {
  return (
    <a href="/settings" className="font-semibold text-accent-ink underline underline-offset-4">
      {children}
    </a>
  );
}

/** Says that a reminder's link doesn't work, and what to do instead. */
export function InvalidReminderLink() {
  return (
    <>
      <PageHeading>This link is no longer valid</PageHeading>
      <p className="text-15 text-ink-2">
        You can turn reminders off in <SettingsLink>Settings</SettingsLink>.
      </p>
    </>
  );
}

/** Turns reminders off when its button is pressed. Opening the page changes nothing. */
export function RemindersOffForm({ token, enabled }: { token: string; enabled: boolean }) {
  const [isOn, setIsOn] = useState(enabled);
  const { form, busy } = useForm(async () => {
    await call(unsubscribe, { params: { token } });
    setIsOn(false);
    return undefined;
  });
  if (!isOn) {
    return (
      <FormResult
        then={
          <p className="text-15 text-ink-2">
            We won’t email you to record anymore. You can turn reminders on again in{' '}
            <SettingsLink>Settings</SettingsLink>.
          </p>
        }
      >
        Reminders are off
      </FormResult>
    );
  }
  return (
    <>
      <PageHeading lead="You won’t get a daily email anymore. Your journal stays as it is.">
        Turn off reminders?
      </PageHeading>
      <form {...form}>
        <Button type="submit" busy={busy} size="lg">
          Turn off reminders
        </Button>
      </form>
    </>
  );
}
