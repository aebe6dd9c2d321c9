'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { loadCode } from '@/components/ui/load-code';
import { toast } from '@/components/ui/toast';
import type { LinkedAccount, ProviderName } from '@/lib/account/providers/contract';
import { PROVIDER_LABELS } from '@/lib/account/providers/shared/provider-labels';
import type { StepUpProof } from '@/lib/account/security/contract';
import { call } from '@/lib/api/shared/client';
import { SignInMethodRow } from './sign-in-method-row';
import { type Factors, StepUpForm } from './step-up-form';

const CONNECT = { act: 'connect', label: 'Connect', variant: 'secondary' } as const;
const DISCONNECT = { act: 'disconnect', label: 'Disconnect', variant: 'secondary' } as const;
const ENABLE = { act: 'enable', label: 'Turn on', variant: 'secondary' } as const;
/** Disconnecting an account that's off is labeled as removing it, which is what it looks like. */
const REMOVE = { act: 'disconnect', label: 'Remove', variant: 'ghost' } as const;

function buttonsOf({ email, disabled }: LinkedAccount) {
  if (email === null) return [CONNECT];
  return disabled ? [ENABLE, REMOVE] : [DISCONNECT];
}

interface Action {
  act: 'connect' | 'disconnect' | 'enable';
  /** The text of its buttons. */
  label: string;
  provider: ProviderName;
}

/** Lists this site's providers, with buttons to connect, disconnect, or turn them back on. */
export function LinkedAccounts({ accounts, factors }: { accounts: LinkedAccount[]; factors: Factors }) {
  const router = useRouter();
  const [action, setAction] = useState<Action>();

  async function run({ act, provider }: Action, body: StepUpProof): Promise<'leaving' | undefined> {
    await call(`POST /identities/:provider/${act}`, { params: { provider }, body });
    if (act === 'connect') {
      const { redirectToProvider } = await loadCode(
        () => import('@/components/account/sign-in/redirect-to-provider'),
      );
      return redirectToProvider(provider, '/settings/security');
    }
    toast.success(`${PROVIDER_LABELS[provider]} is ${act === 'enable' ? 'back on' : 'disconnected'}.`);
    setAction(undefined);
    router.refresh();
    return undefined;
  }

  if (action) {
    return (
      <StepUpForm
        factors={factors}
        button={`${action.label} ${PROVIDER_LABELS[action.provider]}`}
        isDangerous={action.act === 'disconnect'}
        onSubmit={(proof) => run(action, proof)}
        onCancel={() => setAction(undefined)}
      />
    );
  }
  return (
    <ul className="flex flex-col">
      {accounts.map((account) => (
        <SignInMethodRow
          key={account.provider}
          name={PROVIDER_LABELS[account.provider]}
          about={account.email ?? 'Not connected'}
          disabledFor={account.disabled ? { hasPassword: factors.password } : null}
          buttons={buttonsOf(account)}
          onAction={(act, label) => setAction({ act, label, provider: account.provider })}
        />
      ))}
    </ul>
  );
}
