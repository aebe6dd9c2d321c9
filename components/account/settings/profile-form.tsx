'use client';

import { useRouter } from 'next/navigation';
import { NameFields } from '@/components/account/sign-in/name-fields';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import type { Profile } from '@/lib/account/profile/contract';
import { type Body, call } from '@/lib/api/shared/client';

export function ProfileForm({ profile }: { profile: Profile }) {
  const router = useRouter();
  const { form, busy, errors } = useForm<Body<'POST /profile_details'>>(async (body) => {
    await call('POST /profile_details', { body });
    toast.success('Profile updated.');
    router.refresh();
    return undefined;
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <TextField
        label="Email"
        hint="You can change it under Security."
        type="email"
        value={profile.email}
        autoComplete="username"
        readOnly
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <NameFields
          errors={errors}
          present={{ firstName: profile.first_name, lastName: profile.last_name }}
        />
      </div>
      <Button type="submit" busy={busy} className="self-start">
        Update Profile
      </Button>
    </form>
  );
}
