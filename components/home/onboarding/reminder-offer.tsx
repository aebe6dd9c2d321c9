import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Reminder } from '@/lib/reminders/contract';
import { dismiss } from './dismiss';
import { ReminderStep } from './reminder-step';

/** Offers a reminder once there's an entry, until it has been answered. */
export function ReminderOffer({ reminder, zone }: { reminder: Reminder; zone: string | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isDismissed, setIsDismissed] = useState(false);
  if (isDismissed) return null;
  return (
    <section aria-label="Reminder" className="flex flex-col gap-4 border-y border-line py-3">
      {!isOpen && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <p className="text-15 text-ink-2">Would a daily email with a question help?</p>
          <Button size="sm" variant="secondary" onClick={() => setIsOpen(true)}>
            Choose a time
          </Button>
          <Button
            size="sm"
            variant="ghost"
            aria-label="Not now: a daily email"
            onClick={() => {
              dismiss('reminder');
              setIsDismissed(true);
            }}
          >
            Not now
          </Button>
        </div>
      )}
      {isOpen && <ReminderStep reminder={reminder} zone={zone} />}
    </section>
  );
}
