import type { Metadata } from 'next';
import { ProfileForm } from '@/components/account/settings/profile-form';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { ReminderForm, WeeklyLetterForm } from '@/components/reminders/email-forms';
import { Section } from '@/components/ui/section';
import { currentPreferences, currentTimeZone } from '@/lib/account/preferences/current';
import { presentProfile } from '@/lib/account/profile/service';
import { requireUser } from '@/lib/account/sessions/guards';
import { getReminder, getWeeklyLetter } from '@/lib/reminders/service';

export const metadata: Metadata = { title: SETTINGS_PAGES.profile };

export default async function ProfilePage() {
  const user = await requireUser();
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
        <WeeklyLetterForm letter={letter} chosen={timeZone} known={zone} />
      </Section>
    </>
  );
}
