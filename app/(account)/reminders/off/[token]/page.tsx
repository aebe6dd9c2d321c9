import type { Metadata } from 'next';
import { InvalidReminderLink, RemindersOffForm } from '@/components/reminders/reminders-off-form';
import { findLinkedSubscription } from '@/lib/reminders/service';

export const metadata: Metadata = { title: 'Turn off emails', referrer: 'no-referrer' };

export default async function RemindersOffPage({ params }: PageProps<'/reminders/off/[token]'>) {
  const { token } = await params;
  const linked = await findLinkedSubscription(token);
  if (!linked) return <InvalidReminderLink />;
  return <RemindersOffForm token={token} {...linked} />;
}
