import { ProfileForm } from '@/components/settings/profile-form';
import { Section } from '@/components/settings/section';
import type { User } from '@/lib/sessions/service';
import { presentProfile } from '@/lib/settings/service';

export function ProfileTab({ user }: { user: User }) {
  return (
    <Section title="Profile">
      <ProfileForm profile={presentProfile(user)} />
    </Section>
  );
}
