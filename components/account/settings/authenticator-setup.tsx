'use client';

import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { useForm } from '@/components/ui/use-form';
import { type Body, call, type ResponseBody } from '@/lib/api/shared/client';

export type TwoFactorSetup = ResponseBody<'POST /two_factor/setup'>;

/** Shows the new secret as a QR code and as text, and asks for a first code. */
export function AuthenticatorSetup({
  setup: { secret, uri, qr },
  onEnabled,
}: {
  setup: TwoFactorSetup;
  onEnabled: (recoveryCodes: string[]) => void;
}) {
  const { form, busy, errors } = useForm<Body<'POST /two_factor/enable'>>(async (body) => {
    const { recoveryCodes } = await call('POST /two_factor/enable', { body });
    onEnabled(recoveryCodes);
    return undefined;
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <p className="text-15 text-ink-2">
        Scan this with your authenticator app, or{' '}
        <a href={uri} className="font-semibold text-accent-ink underline underline-offset-4">
          open the app on this device
        </a>
        , or enter the key by hand.
      </p>
      <svg
        role="img"
        aria-label="QR code for your authenticator app"
        viewBox={`-4 -4 ${qr.size + 8} ${qr.size + 8}`}
        className="size-52 rounded-12 border border-line bg-white text-black"
        shapeRendering="crispEdges"
      >
        <path d={qr.path} fill="currentColor" />
      </svg>
      <p className="text-15">
        Key: <code className="font-mono break-all select-all">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <TextField
        label="Code from the app"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={64}
        required
        // The form replaces the one that was just submitted.
        autoFocus
        data-missing="Enter the code."
        error={errors.code}
      />
      <Button type="submit" busy={busy} className="self-start">
        Turn on
      </Button>
    </form>
  );
}
