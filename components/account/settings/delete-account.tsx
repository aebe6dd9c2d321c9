'use client';

import { useState } from 'react';
import { Button, ButtonLink } from '@/components/ui/button';
import { LocalTime } from '@/components/ui/local-time';
import { call } from '@/lib/api/shared/client';
import type { PlanType } from '@/lib/billing/plans/shared/limits';
import { KeepAccount } from './keep-account';
import { type Factors, StepUpForm } from './step-up-form';

function DeletedThings({
  contents,
  subscription,
}: {
  contents: readonly string[];
  subscription: PlanType | null;
}) {
  return (
    <div className="flex flex-col gap-2 text-15 text-ink-2">
      <p>This deletes, forever:</p>
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {contents.map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li>your name, your email address, and every way you sign in</li>
        <li>your prepared downloads and your security history</li>
        {subscription && <li>your {subscription} subscription, which ends the same day without a refund</li>}
      </ul>
    </div>
  );
}

/** Says what deleting the account deletes, and requests it once its owner has proved who they are. */
export function DeleteAccount({
  contents,
  subscription,
  erasesAt,
  factors,
}: {
  /** What the account has, one line for each kind. */
  contents: readonly string[];
  subscription: PlanType | null;
  /** When the account is going to be deleted; null unless that was requested. */
  erasesAt: string | null;
  factors: Factors;
}) {
  const [isAsking, setIsAsking] = useState(false);
  const [requested, setRequested] = useState<string>();

  if (requested) {
    return (
      <div role="status" className="flex flex-col gap-4">
        <p className="text-15">
          We’ll delete your account on <LocalTime iso={requested} />, and we signed you out everywhere. To
          keep your account or download your journal, log in before then.
        </p>
        {/* Clears what this browser still has of the account. */}
        <ButtonLink href="/logout" prefetch={false} className="self-start">
          Done
        </ButtonLink>
      </div>
    );
  }
  if (erasesAt) {
    return (
      <div className="flex flex-col gap-4">
        <p className="text-15">
          We’ll delete your account on <LocalTime iso={erasesAt} />.
        </p>
        <DeletedThings contents={contents} subscription={subscription} />
        <KeepAccount then="/settings/data" className="self-start" />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <DeletedThings contents={contents} subscription={subscription} />
      {isAsking ? (
        <>
          <p className="text-15 text-ink-2">
            We’ll sign you out everywhere and email you. For seven days, you can log in to keep your account
            or download your journal. After that, nobody can bring it back.
          </p>
          <StepUpForm
            factors={factors}
            button="Delete my account"
            isDangerous
            onSubmit={async (body) => {
              const deletion = await call('POST /account_deletion', { body });
              setRequested(deletion.erasesAt);
              return undefined;
            }}
            onCancel={() => setIsAsking(false)}
          />
        </>
      ) : (
        <Button variant="secondary" className="self-start" onClick={() => setIsAsking(true)}>
          Delete account
        </Button>
      )}
    </div>
  );
}
