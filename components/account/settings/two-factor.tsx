'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import type { StepUpProof } from '@/lib/account/security/contract';
import { type Body, call, type ResponseBody } from '@/lib/api/shared/client';
import { type Factors, StepUpForm } from './step-up-form';

type TwoFactorSetup = ResponseBody<'POST /two_factor/setup'>;

/** Shows the new secret as a QR code and as text, and asks for a first code. */
function AuthenticatorSetup({
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

/** Shows the recovery codes, this one time only. Takes the focus, since it replaces the form that asked for them. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`;
  return (
    <div className="flex flex-col gap-4">
      <h3 ref={ref} tabIndex={-1} className="text-17 font-semibold focus:outline-none">
        Save your recovery codes
      </h3>
      <p className="text-15 text-ink-2">
        Each one works once, for when you don’t have your authenticator app. They won’t be shown again.
      </p>
      <ul className="grid gap-x-6 gap-y-1 rounded-12 bg-sunken p-4 font-mono text-15 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <a
          href={file}
          download="daylight-recovery-codes.txt"
          className="inline-flex min-h-11 items-center rounded-pill border border-line-strong bg-surface px-[18px] text-15 font-semibold hover:bg-sunken"
        >
          Download
        </a>
        <Button onClick={onDone}>I’ve saved them</Button>
      </div>
    </div>
  );
}

const ACTION_LABELS = {
  setup: 'Set up an authenticator app',
  recovery_codes: 'Get new recovery codes',
  disable: 'Turn off two-factor login',
};
type TwoFactorAction = keyof typeof ACTION_LABELS;

/** Turns two-factor login on and off, and replaces recovery codes. Each step asks for proof of ownership first. */
export function TwoFactor({
  enabled,
  codesLeft,
  factors,
}: {
  enabled: boolean;
  codesLeft: number;
  factors: Factors;
}) {
  const router = useRouter();
  const [step, setStep] = useState<{ action?: TwoFactorAction; setup?: TwoFactorSetup; codes?: string[] }>(
    {},
  );

  function finish() {
    setStep({});
    router.refresh();
  }

  async function run(action: TwoFactorAction, body: StepUpProof): Promise<undefined> {
    if (action === 'setup') setStep({ setup: await call('POST /two_factor/setup', { body }) });
    else if (action === 'recovery_codes')
      setStep({ codes: (await call('POST /two_factor/recovery_codes', { body })).recoveryCodes });
    else {
      await call('POST /two_factor/disable', { body });
      toast.success('Two-factor login is off.');
      finish();
    }
  }

  const { action, setup, codes } = step;
  if (codes) return <RecoveryCodes codes={codes} onDone={finish} />;
  if (setup) return <AuthenticatorSetup setup={setup} onEnabled={(made) => setStep({ codes: made })} />;
  if (action) {
    return (
      <StepUpForm
        factors={factors}
        button={ACTION_LABELS[action]}
        isDangerous={action === 'disable'}
        onSubmit={(proof) => run(action, proof)}
        onCancel={() => setStep({})}
      />
    );
  }
  const offered: TwoFactorAction[] = enabled ? ['recovery_codes', 'disable'] : ['setup'];
  return (
    <div className="flex flex-col gap-4">
      <p className="text-15">
        {enabled
          ? `On. You have ${codesLeft} recovery ${codesLeft === 1 ? 'code' : 'codes'} left.`
          : 'Off. You log in with just your password.'}
      </p>
      <div className="flex flex-wrap gap-3">
        {offered.map((one) => (
          <Button key={one} variant="secondary" onClick={() => setStep({ action: one })}>
            {ACTION_LABELS[one]}
          </Button>
        ))}
      </div>
    </div>
  );
}
