'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { PROVIDER_LABELS } from '@/components/account/sign-in/provider-labels';
import { Button } from '@/components/ui/button';
import { loadCode } from '@/components/ui/load-code';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import type { IdentitySummary, ProviderName } from '@/lib/account/providers/contract';
import { call } from '@/lib/api/shared/client';
import { disabledReason } from './disabled-reason';
import { readProof, type StepUpValues } from './step-up';
import { type Factors, StepUpFields } from './step-up-fields';

type ActionKind = 'connect' | 'disconnect' | 'enable';

interface ConnectionAction {
  act: ActionKind;
  /** The text of its buttons. */
  label: string;
  provider: ProviderName;
}

const LABELS: Record<ActionKind, string> = {
  connect: 'Connect',
  disconnect: 'Disconnect',
  enable: 'Turn on',
};

/** Disconnecting an account that's off is labeled as removing it, which is what it looks like. */
const labelOf = (act: ActionKind, disabled: boolean) =>
  disabled && act === 'disconnect' ? 'Remove' : LABELS[act];

/** Confirms connecting a provider, disconnecting it, or turning it back on. */
function ConnectionForm({
  action: { act, label, provider },
  factors,
  onDone,
}: {
  action: ConnectionAction;
  factors: Factors;
  onDone: () => void;
}) {
  const router = useRouter();
  const { form, busy, errors } = useForm<StepUpValues>(async (values) => {
    await call(`POST /identities/:provider/${act}`, { params: { provider }, body: await readProof(values) });
    if (act === 'connect') {
      const { redirectToProvider } = await loadCode(
        () => import('@/components/account/sign-in/redirect-to-provider'),
      );
      return redirectToProvider(provider, '/settings/security');
    }
    toast.success(
      act === 'enable'
        ? `${PROVIDER_LABELS[provider]} is back on.`
        : `${PROVIDER_LABELS[provider]} is disconnected.`,
    );
    onDone();
    router.refresh();
    return undefined;
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <StepUpFields factors={factors} errors={errors} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} variant={act === 'disconnect' ? 'danger' : 'primary'}>
          {label} {PROVIDER_LABELS[provider]}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Lists this site's providers, with buttons to connect, disconnect, or turn them back on. */
export function Connections({ identities, factors }: { identities: IdentitySummary[]; factors: Factors }) {
  const [action, setAction] = useState<ConnectionAction>();
  if (action) {
    return <ConnectionForm action={action} factors={factors} onDone={() => setAction(undefined)} />;
  }
  return (
    <ul className="flex flex-col">
      {identities.map(({ provider, email, disabled }) => {
        const name = PROVIDER_LABELS[provider];
        const connected: ActionKind[] = disabled ? ['enable', 'disconnect'] : ['disconnect'];
        const acts: ActionKind[] = email === null ? ['connect'] : connected;
        return (
          <li
            key={provider}
            className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3 last:border-b-0"
          >
            <div className="min-w-0">
              <p className="text-15 font-semibold">{name}</p>
              <p className="text-14 break-words text-ink-3">{email ?? 'Not connected'}</p>
              {disabled && <p className="text-14 text-ink-2">{disabledReason(factors.password)}</p>}
            </div>
            <div className="flex gap-2">
              {acts.map((act, index) => {
                const label = labelOf(act, disabled);
                return (
                  <Button
                    key={act}
                    variant={index === 0 ? 'secondary' : 'ghost'}
                    size="sm"
                    aria-label={`${label} ${name}`}
                    onClick={() => setAction({ act, label, provider })}
                  >
                    {label}
                  </Button>
                );
              })}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
