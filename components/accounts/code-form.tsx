'use client';

import { Button } from '@/components/ui/button';
import { useForm } from '@/components/ui/use-form';
import { api } from '@/lib/contract/client';
import { CodeField } from './code-field';

/** Asks for the second factor of a sign-in by a provider. @param next a path of this site */
export function CodeForm({ next }: { next: string }) {
  const { form, busy, errors } = useForm(async ({ code }) => {
    await api('POST', '/login/code', { body: { code } });
    window.location.assign(next);
    return 'leaving';
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <CodeField error={errors.code} />
      <Button type="submit" busy={busy} size="lg">
        Login
      </Button>
    </form>
  );
}
