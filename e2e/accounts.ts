import { randomUUID } from 'node:crypto';
import { checkAccountStatus, login, register, verifyEmail } from '@/lib/accounts/contract';
import { type Client, createClient } from './client';
import type { Mailbox } from './mailbox';

export interface Account {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  /** Signed in as this account. */
  api: Client;
}

/** What a signup sends; no two are alike. */
export function newAccountDetails() {
  return {
    email: `${randomUUID()}@example.com`,
    password: 'correct horse battery staple',
    firstName: 'Ada',
    lastName: 'Lovelace',
    gender: 'female' as const,
    dateOfBirth: '1990-12-10',
  };
}

/** Opens an account through the API, verified by the link of its mail unless told otherwise, and signs in. */
export async function createAccount(site: string, mailbox: Mailbox, verified = true): Promise<Account> {
  const person = newAccountDetails();
  const api = createClient(site);
  await api.call(register, { body: person });
  if (verified) {
    const [, , uid = '', token = ''] = (await mailbox.wait(person.email, /verify/i)).link.split('/');
    await api.call(verifyEmail, { params: { uid, token } });
  }
  await api.call(login, { body: { email: person.email, password: person.password } });
  const { accountStatus } = await api.call(checkAccountStatus);
  if ((accountStatus === 'VERIFIED') !== verified) throw new Error(`The account is ${accountStatus}.`);
  return { ...person, api };
}
