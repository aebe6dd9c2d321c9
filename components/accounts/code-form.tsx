'use client';

import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { useForm } from '@/components/ui/use-form';
import { api } from '@/lib/http/client';

/** Asks for the second factor of a sign-in by a provider. @param next a path of this site */
export function CodeForm({ next }: { next: string }) {
  const { form, busy, errors } = useForm(async ({ code }) => {
    await api('POST', '/login/code', { body: { code } });
    window.location.assign(next);
    return 'leaving';
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <TextField
        label="Code"
        hint="From your authenticator app, or one of your recovery codes."
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={64}
        required
        autoFocus
        data-missing="Please enter the code."
        error={errors.code}
      />
      <Button type="submit" busy={busy} size="lg">
        Login
      </Button>
    </form>
  );
}
