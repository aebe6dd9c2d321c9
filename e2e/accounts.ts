import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { login, register, verifyEmail } from '@/lib/account/registration/contract';
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

/** The cheapest argon2 there is: tests compare it hundreds of times, and none of them tries to crack it. */
const CHEAP_HASH_OPTIONS = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export const hashCheaply = (password: string): Promise<string> => hash(password, CHEAP_HASH_OPTIONS);

/** Returns what a sign-up sends, with an address of its own. */
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

/** Returns the fields of the form that signs up: their labels, and what to type. */
export const signupFields = (person: ReturnType<typeof newAccountDetails>) =>
  [
    ['Email', person.email],
    ['First name', person.firstName],
    ['Last name', person.lastName],
    ['Gender', person.gender],
    ['Date of birth', person.dateOfBirth],
    ['Password', person.password],
  ] as const;

async function logIn(
  api: Client,
  { email, password }: { email: string; password: string },
  verified: boolean,
) {
  const { accountStatus } = await api.call(login, { body: { email, password } });
  if ((accountStatus === 'VERIFIED') !== verified) throw new Error(`The account is ${accountStatus}.`);
}

/** Inserts an account into the database and logs in through the API. Tests of signing up use `signUp`. */
export async function seedAccount(site: string, sql: postgres.Sql, verified = true): Promise<Account> {
  const person = newAccountDetails();
  await sql`insert into users ${sql({
    id: uuidv7(),
    email: person.email,
    password_hash: await hashCheaply(person.password),
    first_name: person.firstName,
    last_name: person.lastName,
    gender: person.gender,
    date_of_birth: person.dateOfBirth,
    verified_at: verified ? new Date() : null,
  })}`;
  const api = createClient(site);
  await logIn(api, person, verified);
  return { ...person, api };
}

/** Signs up through the API, opens the link in the email unless told otherwise, and logs in. */
export async function signUp(site: string, mailbox: Mailbox, verified = true): Promise<Account> {
  const person = newAccountDetails();
  const api = createClient(site);
  await api.call(register, { body: person });
  if (verified) {
    const [, , uid = '', token = ''] = (await mailbox.wait(person.email, /verify/i)).link.split('/');
    await api.call(verifyEmail, { params: { uid, token } });
  }
  await logIn(api, person, verified);
  return { ...person, api };
}
