'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/page-heading';
import { useForm } from '@/components/ui/use-form';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';

/** Returns whether an emailed link was used before, or is too old. */
export const isLinkExpired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'invalid_or_expired_link';

/** Uses an emailed link when a button is pressed, and then shows the outcome. Opening the page changes nothing. */
export function LinkPrompt({
  heading,
  lead,
  children,
  button,
  variant = 'primary',
  onConfirm,
  done,
  expired,
}: {
  heading: string;
  lead?: string;
  children?: ReactNode;
  button: string;
  variant?: 'primary' | 'secondary';
  onConfirm: () => Promise<unknown>;
  done: ReactNode;
  expired: ReactNode;
}) {
  const [outcome, setOutcome] = useState<ReactNode>();
  const { form, busy } = useForm(async () => {
    await onConfirm().catch((error: unknown) => {
      if (isLinkExpired(error)) setOutcome(expired);
      throw error;
    });
    setOutcome(done);
    return undefined;
  });
  if (outcome) return outcome;
  return (
    <>
      <PageHeading lead={lead}>{heading}</PageHeading>
      <form {...form} className="flex flex-col items-start gap-5 text-ink-2">
        {children}
        <Button type="submit" size="lg" variant={variant} busy={busy}>
          {button}
        </Button>
      </form>
    </>
  );
}
