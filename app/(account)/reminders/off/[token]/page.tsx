import type { Metadata } from 'next';
import { InvalidReminderLink, RemindersOffForm } from '@/components/reminders/reminders-off-form';
import { findLinkedReminder } from '@/lib/reminders/service';

export const metadata: Metadata = { title: 'Turn off reminders', referrer: 'no-referrer' };

export default async function RemindersOffPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const enabled = await findLinkedReminder(token);
  if (enabled === null) return <InvalidReminderLink />;
  return <RemindersOffForm token={token} enabled={enabled} />;
}
