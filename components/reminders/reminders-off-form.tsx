'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { FormResult } from '@/components/ui/form-result';
import { PageHeading } from '@/components/ui/page-heading';
import { useForm } from '@/components/ui/use-form';
import { call } from '@/lib/api/shared/client';

/** Links to the settings. A plain link, because its reader may not be signed in. */
function SettingsLink({ children }: { children: string }) {
  return (
    <a href="/settings/profile" className="font-semibold text-accent-ink underline underline-offset-4">
      {children}
    </a>
  );
}

/** Says that an email's link doesn't work, and what to do instead. */
export function InvalidReminderLink() {
  return (
    <>
      <PageHeading>This link is no longer valid</PageHeading>
      <p className="text-15 text-ink-2">
        You can turn emails off in <SettingsLink>Settings</SettingsLink>.
      </p>
    </>
  );
}

/** What the page says about each kind of email. */
const TEXTS = {
  reminder: {
    question: 'Turn off reminders?',
    lead: 'You won’t get a daily email anymore. Your journal stays as it is.',
    action: 'Turn off reminders',
    done: 'Reminders are off',
    after: 'We won’t email you to record anymore. You can turn reminders on again in',
  },
  letter: {
    question: 'Turn off the weekly letter?',
    lead: 'You won’t get a letter on Sundays anymore. Your journal stays as it is.',
    action: 'Turn off the letter',
    done: 'The weekly letter is off',
    after: 'We won’t send you letters anymore. You can turn them on again in',
  },
};

/** Turns a kind of email off when its button is pressed. Opening the page changes nothing. */
export function RemindersOffForm({
  token,
  subscription,
  enabled,
}: {
  token: string;
  subscription: keyof typeof TEXTS;
  enabled: boolean;
}) {
  const [isOn, setIsOn] = useState(enabled);
  const { form, busy } = useForm(async () => {
    await call('POST /reminder/unsubscribe/:token', { params: { token } });
    setIsOn(false);
    return undefined;
  });
  const texts = TEXTS[subscription];
  if (!isOn) {
    return (
      <FormResult
        then={
          <p className="text-15 text-ink-2">
            {texts.after} <SettingsLink>Settings</SettingsLink>.
          </p>
        }
      >
        {texts.done}
      </FormResult>
    );
  }
  return (
    <>
      <PageHeading lead={texts.lead}>{texts.question}</PageHeading>
      <form {...form}>
        <Button type="submit" busy={busy} size="lg">
          {texts.action}
        </Button>
      </form>
    </>
  );
}
