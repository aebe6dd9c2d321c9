'use client';

import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { loadCode } from '@/components/ui/load-code';
import { LocalTime } from '@/components/ui/local-time';
import { toast } from '@/components/ui/toast';
import { useHydrated } from '@/components/ui/use-hydrated';
import type { PasskeySummary } from '@/lib/account/passkeys/contract';
import type { StepUpProof } from '@/lib/account/security/contract';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { SignInMethodRow } from './sign-in-method-row';
import { type Factors, StepUpForm, type StepUpValues } from './step-up-form';

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

/** The text of a form's button, and what's said once it's done. */
const TEXTS = {
  add: { button: 'Add passkey', done: 'Passkey added.' },
  rename: { button: 'Rename passkey', done: 'Passkey renamed.' },
  remove: { button: 'Remove passkey', done: 'Passkey removed.' },
  enable: { button: 'Turn on passkey', done: 'Passkey turned on.' },
};

async function runPasskeyAction(action: PasskeyAction, body: StepUpProof, name = ''): Promise<void> {
  if (action.act === 'add') {
    const { options } = await call('POST /passkeys/options', { body });
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    await call('POST /passkeys', { body: { name, credential: await createPasskey(optionsJSON) } });
    return;
  }
  const params = { id: action.passkey.id };
  if (action.act === 'rename') await call('POST /passkeys/:id', { params, body: { name } });
  else if (action.act === 'remove') await call('POST /passkeys/:id/remove', { params, body });
  else await call('POST /passkeys/:id/enable', { params, body });
}

/** Asks for a passkey's name, or says what's about to happen, with the name so that it isn't mistaken for another. */
function ActionFields({
  action,
  suggestedName,
  error,
}: {
  action: PasskeyAction;
  suggestedName: string;
  error: string | undefined;
}) {
  const current = action.act === 'add' ? suggestedName : action.passkey.name;
  const name = <strong className="font-semibold break-words">{current}</strong>;
  if (action.act === 'remove')
    return <p className="text-15">Remove {name}? You won’t be able to sign in with it anymore.</p>;
  if (action.act === 'enable')
    return <p className="text-15">Turn {name} back on? Only do this if you know it’s yours.</p>;
  return (
    <TextField
      label="Name"
      hint="Pick a name you’ll recognize, like the device it’s on."
      name="name"
      defaultValue={current}
      maxLength={50}
      required
      // The form opens on a press of a button.
      autoFocus
      data-missing="Enter a name."
      error={error}
    />
  );
}

/** One that's off can be turned on instead of renamed. */
const OFF_BUTTONS = [
  { act: 'enable', label: 'Turn on', variant: 'secondary' },
  { act: 'remove', label: 'Remove', variant: 'ghost' },
] as const;
const ON_BUTTONS = [
  { act: 'rename', label: 'Rename', variant: 'ghost' },
  { act: 'remove', label: 'Remove', variant: 'secondary' },
] as const;

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
  const router = useRouter();
  const [action, setAction] = useState<PasskeyAction>();
  const isUnsupported = useHydrated() && !('PublicKeyCredential' in window);
  if (action) {
    return (
      <StepUpForm<StepUpValues & { name?: string }>
        factors={action.act === 'rename' ? null : factors}
        button={TEXTS[action.act].button}
        isDangerous={action.act === 'remove'}
        onSubmit={async (proof, { name }) => {
          await runPasskeyAction(action, proof, name);
          toast.success(TEXTS[action.act].done);
          setAction(undefined);
          router.refresh();
          return undefined;
        }}
        onCancel={() => setAction(undefined)}
      >
        {(errors) => <ActionFields action={action} suggestedName={suggestedName} error={errors.name} />}
      </StepUpForm>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {passkeys.length > 0 && (
        <ul className="flex flex-col">
          {passkeys.map((passkey) => (
            <SignInMethodRow
              key={passkey.id}
              name={passkey.name}
              about={
                !passkey.disabled && (
                  <>
                    {passkey.lastUsedAt ? 'Last used ' : 'Not used yet · added '}
                    <LocalTime iso={passkey.lastUsedAt ?? passkey.createdAt} />
                  </>
                )
              }
              disabledFor={passkey.disabled ? { hasPassword: factors.password } : null}
              buttons={passkey.disabled ? OFF_BUTTONS : ON_BUTTONS}
              onAction={(act) => setAction({ act, passkey })}
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
