'use client';

import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { loadCode } from '@/components/ui/load-code';
import { LocalTime } from '@/components/ui/local-time';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import { useHydrated } from '@/components/ui/use-hydrated';
import type { PasskeySummary } from '@/lib/account/passkeys/contract';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { disabledReason } from './disabled-reason';
import { readProof, type StepUpValues } from './step-up';
import { type Factors, StepUpFields } from './step-up-fields';

/** Asks the browser to create a passkey. Throws an ApiError if the person or the device declines. */
async function createPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  const { startRegistration } = await loadCode(() => import('@simplewebauthn/browser'));
  return startRegistration({ optionsJSON }).catch((error: unknown) => {
    const known = error instanceof Error && error.name === 'InvalidStateError';
    throw new ApiError(
      0,
      'passkey',
      known
        ? 'This device already has a passkey for your account.'
        : 'We couldn’t create a passkey. Try again.',
    );
  });
}

type PasskeyAction = { act: 'add' } | { act: 'rename' | 'remove' | 'enable'; passkey: PasskeySummary };

const BUTTONS = {
  add: 'Add passkey',
  rename: 'Rename passkey',
  remove: 'Remove passkey',
  enable: 'Turn on passkey',
};
const DONE = {
  add: 'Passkey added.',
  rename: 'Passkey renamed.',
  remove: 'Passkey removed.',
  enable: 'Passkey turned on.',
};

type PasskeyValues = StepUpValues & { name?: string };

async function runPasskeyAction(
  action: PasskeyAction,
  { name = '', ...values }: PasskeyValues,
): Promise<void> {
  if (action.act === 'add') {
    const body = await readProof(values);
    const { options } = await call('POST /passkeys/options', { body });
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    await call('POST /passkeys', { body: { name, credential: await createPasskey(optionsJSON) } });
    return;
  }
  const params = { id: action.passkey.id };
  if (action.act === 'rename') {
    await call('POST /passkeys/:id', { params, body: { name } });
    return;
  }
  const body = await readProof(values);
  if (action.act === 'remove') await call('POST /passkeys/:id/remove', { params, body });
  else await call('POST /passkeys/:id/enable', { params, body });
}

/** Says what's about to happen, with the passkey's name so that it isn't mistaken for another. */
function ActionDescription({ action }: { action: Extract<PasskeyAction, { passkey: PasskeySummary }> }) {
  const name = <strong className="font-semibold break-words">{action.passkey.name}</strong>;
  return action.act === 'remove' ? (
    <p className="text-15">Remove {name}? You won’t be able to sign in with it anymore.</p>
  ) : (
    <p className="text-15">Turn {name} back on? Only do this if you know it’s yours.</p>
  );
}

/** The form that adds, renames, removes or turns on a passkey. */
function PasskeyForm({
  action,
  suggestedName,
  factors,
  onDone,
}: {
  action: PasskeyAction;
  suggestedName: string;
  factors: Factors;
  onDone: () => void;
}) {
  const router = useRouter();
  const { form, busy, errors } = useForm<PasskeyValues>(async (values) => {
    await runPasskeyAction(action, values);
    toast.success(DONE[action.act]);
    onDone();
    router.refresh();
    return undefined;
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      {action.act === 'remove' || action.act === 'enable' ? (
        <ActionDescription action={action} />
      ) : (
        <TextField
          label="Name"
          hint="Pick a name you’ll recognize, like the device it’s on."
          name="name"
          defaultValue={action.act === 'rename' ? action.passkey.name : suggestedName}
          maxLength={50}
          required
          // The form opens on a press of a button.
          autoFocus
          data-missing="Enter a name."
          error={errors.name}
        />
      )}
      {action.act !== 'rename' && <StepUpFields factors={factors} errors={errors} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} variant={action.act === 'remove' ? 'danger' : 'primary'}>
          {BUTTONS[action.act]}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** A passkey with buttons to rename and remove it. One that's off can be turned on instead of renamed. */
function PasskeyRow({
  passkey,
  hasPassword,
  onAction,
}: {
  passkey: PasskeySummary;
  hasPassword: boolean;
  onAction: (action: PasskeyAction) => void;
}) {
  const { name, disabled, lastUsedAt, createdAt } = passkey;
  const buttons = [
    disabled
      ? ({ act: 'enable', label: 'Turn on', variant: 'secondary' } as const)
      : ({ act: 'rename', label: 'Rename', variant: 'ghost' } as const),
    { act: 'remove', label: 'Remove', variant: disabled ? 'ghost' : 'secondary' } as const,
  ];
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3 last:border-b-0">
      <div className="min-w-0">
        <p className="text-15 font-semibold break-words">{name}</p>
        {disabled ? (
          <p className="text-14 text-ink-2">{disabledReason(hasPassword)}</p>
        ) : (
          <p className="text-14 text-ink-3">
            {lastUsedAt ? 'Last used ' : 'Not used yet · added '}
            <LocalTime iso={lastUsedAt ?? createdAt} />
          </p>
        )}
      </div>
      <div className="flex gap-2">
        {buttons.map(({ act, label, variant }) => (
          <Button
            key={act}
            variant={variant}
            size="sm"
            aria-label={`${label} ${name}`}
            onClick={() => onAction({ act, passkey })}
          >
            {label}
          </Button>
        ))}
      </div>
    </li>
  );
}

/** Lists the account's passkeys, with buttons to add one and to rename, remove, or turn on each. */
export function Passkeys({
  passkeys,
  suggestedName,
  factors,
}: {
  passkeys: PasskeySummary[];
  suggestedName: string;
  factors: Factors;
}) {
  const [action, setAction] = useState<PasskeyAction>();
  const isUnsupported = useHydrated() && !('PublicKeyCredential' in window);
  if (action) {
    return (
      <PasskeyForm
        action={action}
        suggestedName={suggestedName}
        factors={factors}
        onDone={() => setAction(undefined)}
      />
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {passkeys.length > 0 && (
        <ul className="flex flex-col">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              hasPassword={factors.password}
              onAction={setAction}
            />
          ))}
        </ul>
      )}
      {isUnsupported ? (
        <p className="text-15">This browser can’t use passkeys. Add one in another browser.</p>
      ) : (
        <Button variant="secondary" className="self-start" onClick={() => setAction({ act: 'add' })}>
          Add a passkey
        </Button>
      )}
    </div>
  );
}
