'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import { api } from '@/lib/contract/client';
import { AuthenticatorSetup, type TwoFactorSetup } from './authenticator-setup';
import { RecoveryCodes } from './recovery-codes';
import { readProof } from './step-up';
import { type Factors, StepUpFields } from './step-up-fields';

type TwoFactorAction = 'setup' | 'recovery_codes' | 'disable';

const ACTION_LABELS: Record<TwoFactorAction, string> = {
  setup: 'Set up an authenticator app',
  recovery_codes: 'Make new recovery codes',
  disable: 'Switch two-factor login off',
};

/** Switches two-factor login on and off, each step after the owner was asked for. */
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
  const [wanted, setWanted] = useState<TwoFactorAction>();
  const [setup, setSetup] = useState<TwoFactorSetup>();
  const [codes, setCodes] = useState<string[]>();

  function finish() {
    setWanted(undefined);
    setSetup(undefined);
    setCodes(undefined);
    router.refresh();
  }

  const { form, busy, errors } = useForm(async (values) => {
    const answer = await api<TwoFactorSetup & { recoveryCodes: string[] }>('POST', `/two_factor/${wanted}`, {
      body: await readProof(values),
    });
    if (wanted === 'setup') setSetup(answer);
    else if (wanted === 'recovery_codes') setCodes(answer.recoveryCodes);
    else {
      toast.success('Two-factor login is off.');
      finish();
    }
    return undefined;
  });

  if (codes) return <RecoveryCodes codes={codes} onDone={finish} />;
  if (setup) return <AuthenticatorSetup setup={setup} onEnabled={setCodes} />;
  if (wanted) {
    return (
      <form {...form} className="flex flex-col gap-5">
        <StepUpFields {...{ factors, errors }} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={busy} variant={wanted === 'disable' ? 'danger' : 'primary'}>
            {ACTION_LABELS[wanted]}
          </Button>
          <Button variant="ghost" onClick={() => setWanted(undefined)}>
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
          : 'Off. You log in with your password alone.'}
      </p>
      <div className="flex flex-wrap gap-3">
        {offered.map((what) => (
          <Button key={what} variant="secondary" onClick={() => setWanted(what)}>
            {ACTION_LABELS[what]}
          </Button>
        ))}
      </div>
    </div>
  );
}
