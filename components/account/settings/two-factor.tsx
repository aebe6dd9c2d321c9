'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import { call } from '@/lib/api/shared/client';
import { AuthenticatorSetup, type TwoFactorSetup } from './authenticator-setup';
import { RecoveryCodes } from './recovery-codes';
import { readProof, type StepUpValues } from './step-up';
import { type Factors, StepUpFields } from './step-up-fields';

type TwoFactorAction = 'setup' | 'recovery_codes' | 'disable';

const ACTION_LABELS: Record<TwoFactorAction, string> = {
  setup: 'Set up an authenticator app',
  recovery_codes: 'Get new recovery codes',
  disable: 'Turn off two-factor login',
};

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
  const [action, setAction] = useState<TwoFactorAction>();
  const [setup, setSetup] = useState<TwoFactorSetup>();
  const [codes, setCodes] = useState<string[]>();

  function finish() {
    setAction(undefined);
    setSetup(undefined);
    setCodes(undefined);
    router.refresh();
  }

  const { form, busy, errors } = useForm<StepUpValues>(async (values) => {
    const body = await readProof(values);
    if (action === 'setup') setSetup(await call('POST /two_factor/setup', { body }));
    else if (action === 'recovery_codes')
      setCodes((await call('POST /two_factor/recovery_codes', { body })).recoveryCodes);
    else {
      await call('POST /two_factor/disable', { body });
      toast.success('Two-factor login is off.');
      finish();
    }
    return undefined;
  });

  if (codes) return <RecoveryCodes codes={codes} onDone={finish} />;
  if (setup) return <AuthenticatorSetup setup={setup} onEnabled={setCodes} />;
  if (action) {
    return (
      <form {...form} className="flex flex-col gap-5">
        <StepUpFields factors={factors} errors={errors} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={busy} variant={action === 'disable' ? 'danger' : 'primary'}>
            {ACTION_LABELS[action]}
          </Button>
          <Button variant="ghost" onClick={() => setAction(undefined)}>
            Cancel
          </Button>
        </div>
      </form>
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
          <Button key={one} variant="secondary" onClick={() => setAction(one)}>
            {ACTION_LABELS[one]}
          </Button>
        ))}
      </div>
    </div>
  );
}
