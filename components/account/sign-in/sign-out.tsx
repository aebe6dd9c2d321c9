'use client';

import { useEffect, useState } from 'react';
import { deleteAccountData, findLogoutQuestion, type NamedQuestion } from '@/components/device/account-store';
import { switchStorageAccount } from '@/components/ui/browser-storage';
import { Button, ButtonLink } from '@/components/ui/button';
import { waitMinLoadingTime } from '@/components/ui/min-loading-time';
import { PageHeading } from '@/components/ui/page-heading';
import { call } from '@/lib/api/shared/client';
import { ACCOUNT_STORES } from './account-stores';

const FOREIGN_LINK: NamedQuestion = {
  about: 'link',
  lead: 'A link on another site may have sent you here.',
  confirm: 'Log out',
};

/** Deletes what this browser has of the account, and ends its session, if there is one. See {@link deleteAccountData}. */
async function endSession(account: string | null, all: boolean): Promise<void> {
  switchStorageAccount(null);
  await deleteAccountData(ACCOUNT_STORES, account, all);
  await call('GET /logout').catch((error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: a failed logout is only logged (specification, 8)
    console.error('Logging out failed:', error);
  });
}

/**
 * Asks about what logging out would delete or leave behind, ends the session, and goes to /login, even if that fails.
 * @param account the signed-in account, or null
 * @param isCrossSite whether another site may have linked here; then a button has to be pressed first
 */
export function SignOut({ account, isCrossSite }: { account: string | null; isCrossSite: boolean }) {
  const [question, setQuestion] = useState(isCrossSite ? FOREIGN_LINK : null);
  const [asked, setAsked] = useState<readonly string[]>([]);
  /** Whether to delete what would otherwise stay, too. */
  const [all, setAll] = useState(false);
  useEffect(() => {
    if (question) return;
    void (async () => {
      const next = account && (await findLogoutQuestion(ACCOUNT_STORES, account, asked));
      if (next) return setQuestion(next);
      await Promise.all([endSession(account, all), waitMinLoadingTime()]);
      window.location.replace('/login');
    })();
  }, [question, asked, account, all]);
  if (!question) {
    return (
      <div role="status">
        <h1 className="heading text-[24px]">Logging out...</h1>
      </div>
    );
  }
  const { about, lead, confirm, stay, deleteAll } = question;
  function answer(withRest: boolean) {
    setAsked([...asked, about]);
    setAll(all || withRest);
    setQuestion(null);
  }
  return (
    <>
      <PageHeading lead={lead}>Do you want to log out?</PageHeading>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => answer(false)}>{confirm}</Button>
        {stay && (
          <ButtonLink href={stay.href} variant="secondary">
            {stay.label}
          </ButtonLink>
        )}
        {deleteAll && (
          <Button variant="danger" onClick={() => answer(true)}>
            {deleteAll}
          </Button>
        )}
      </div>
    </>
  );
}
