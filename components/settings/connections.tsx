'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import { api } from '@/lib/contract/client';
import type { IdentitySummary, ProviderName } from '@/lib/identities/contract';
import { disabledReason } from './disabled-reason';
import { readProof } from './step-up';
import { type Factors, StepUpFields } from './step-up-fields';

const PROVIDER_NAMES: Record<ProviderName, string> = { google: 'Google', github: 'GitHub' };

type ActionKind = 'connect' | 'disconnect' | 'enable';

/** What is done to a connection, and to which. */
interface ConnectionAction {
  act: ActionKind;
  /** What its buttons say. */
  label: string;
  provider: ProviderName;
}

const LABELS: Record<ActionKind, string> = {
  connect: 'Connect',
  disconnect: 'Disconnect',
  enable: 'Turn on',
};

/** Removing one that is off is what disconnecting is; the word says better what happens to it. */
const labelOf = (act: ActionKind, disabled: boolean) =>
  disabled && act === 'disconnect' ? 'Remove' : LABELS[act];

/** Connects a provider, disconnects it, or turns it back on. */
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
  const { form, busy, errors } = useForm(async (values) => {
    await api('POST', `/identities/${provider}/${act}`, { body: await readProof(values) });
    if (act === 'connect') {
      const { redirectToProvider } = await import('@/components/accounts/redirect-to-provider');
      return redirectToProvider(provider, '/settings?tab=security');
    }
    toast.success(
      act === 'enable'
        ? `${PROVIDER_NAMES[provider]} is back on.`
        : `${PROVIDER_NAMES[provider]} is disconnected.`,
    );
    onDone();
    router.refresh();
    return undefined;
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <StepUpFields {...{ factors, errors }} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} variant={act === 'disconnect' ? 'danger' : 'primary'}>
          {label} {PROVIDER_NAMES[provider]}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** The providers of this site, each to be connected, disconnected or turned back on. */
export function Connections({ identities, factors }: { identities: IdentitySummary[]; factors: Factors }) {
  const [action, setAction] = useState<ConnectionAction>();
  if (action) return <ConnectionForm {...{ action: action, factors }} onDone={() => setAction(undefined)} />;
  return (
    <ul className="flex flex-col">
      {identities.map(({ provider, email, disabled }) => {
        const name = PROVIDER_NAMES[provider];
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
