import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import type { User } from '@/lib/account/sessions/service';
import { queuedEmails, useFreshDatabase } from '@/test/app-database';
import {
  newChallenge,
  newUser,
  PASSWORD,
  registerPasskey,
  signInUser,
  userHandle,
} from '@/test/auth-fixtures';
import { createVirtualAuthenticator } from '@/test/authenticator';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { addPasskey, listPasskeys, passkeyOptions, removePasskey, renamePasskey } from './service';
import { signInWithPasskey } from './sign-in';

let takeDown: () => Promise<void>;
let user: User;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
beforeEach(async () => {
  user = await newUser();
});
afterAll(() => takeDown());

describe('adding', () => {
  it('needs the password, and tells the owner by mail', async () => {
    for (const password of [undefined, '', 'wrong']) {
      const refused = await expectRejection(
        passkeyOptions(user, { currentPassword: password }, newClientInfo()),
      );
      expect(refused.fields).toHaveProperty('currentPassword');
    }
    await registerPasskey(user);
    expect((await queuedEmails(user.email)).map(({ subject }) => subject)).toEqual([
      'A passkey was added to your journal',
    ]);
  });

  it('takes the challenge of this very session once, and no other', async () => {
    const elsewhere = (await signInUser(user.id)).user;
    const { challenge } = await passkeyOptions(user, { currentPassword: PASSWORD }, newClientInfo());
    const add = (as: User, wanted = challenge, how = {}) =>
      addPasskey(as, {
        name: 'A key',
        credential: createVirtualAuthenticator(userHandle(as)).register(wanted, how),
      });
    for (const wrong of [
      [elsewhere],
      [user, await newChallenge()],
      [user, challenge, { verified: false }],
      [user, challenge, { origin: 'https://daylight.example' }],
    ] as Parameters<typeof add>[]) {
      expect((await expectRejection(add(...wrong))).code).toBe('validation_failed');
    }
    await add(user);
    expect((await expectRejection(add(user))).code).toBe('validation_failed');
    expect(await listPasskeys(user.id)).toHaveLength(1);
  });

  it('does not take the key of somebody else', async () => {
    const { authenticator } = await registerPasskey(user);
    const stranger = await newUser();
    const { challenge } = await passkeyOptions(stranger, { currentPassword: PASSWORD }, newClientInfo());
    const stolen = addPasskey(stranger, { name: 'Mine', credential: authenticator.register(challenge) });
    expect((await expectRejection(stolen)).code).toBe('conflict');
  });

  it('without a password needs a sign-in of the last ten minutes', async () => {
    await db().update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    await passkeyOptions(user, {}, newClientInfo());
    const longAgo = new Date(Date.now() - 11 * 60_000);
    await db().update(sessions).set({ createdAt: longAgo }).where(eq(sessions.id, user.sessionId));
    const refused = await expectRejection(
      passkeyOptions(user, { currentPassword: 'anything' }, newClientInfo()),
    );
    expect(refused.fields).toHaveProperty('currentPassword');
  });
});

it('the list has the newest first', async () => {
  const [older, newer] = [(await registerPasskey(user)).passkey, (await registerPasskey(user)).passkey];
  expect((await listPasskeys(user.id)).map(({ id }) => id)).toEqual([newer.id, older.id]);
});

describe('renaming', () => {
  it('gives one another name, and does not find those of others', async () => {
    const { passkey } = await registerPasskey(user);
    expect(await renamePasskey(user.id, passkey.id, 'Desk')).toMatchObject({ id: passkey.id, name: 'Desk' });
    const stranger = await newUser();
    expect((await expectRejection(renamePasskey(stranger.id, passkey.id, 'Mine'))).code).toBe('not_found');
    expect((await listPasskeys(user.id)).map(({ name }) => name)).toEqual(['Desk']);
  });
});

describe('removing', () => {
  it('needs the password, tells the owner, and shuts that passkey out', async () => {
    const { authenticator, passkey } = await registerPasskey(user);
    expect(
      (await expectRejection(removePasskey(user, passkey.id, { currentPassword: 'wrong' }, newClientInfo())))
        .fields,
    ).toHaveProperty('currentPassword');
    await removePasskey(user, passkey.id, { currentPassword: PASSWORD }, newClientInfo());
    expect((await queuedEmails(user.email)).map(({ subject }) => subject)).toContain(
      'A passkey was removed from your journal',
    );
    const answer = authenticator.assert(await newChallenge());
    expect((await expectRejection(signInWithPasskey(answer, newClientInfo()))).code).toBe(
      'invalid_credentials',
    );
  });

  it('does not find those of others', async () => {
    const { passkey } = await registerPasskey(user);
    const stranger = await newUser();
    expect(
      (
        await expectRejection(
          removePasskey(stranger, passkey.id, { currentPassword: PASSWORD }, newClientInfo()),
        )
      ).code,
    ).toBe('not_found');
    expect(await listPasskeys(user.id)).toHaveLength(1);
  });

  it('never removes the last sign-in method, even of two removed at once', async () => {
    const keys = [await registerPasskey(user), await registerPasskey(user)];
    await db().update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    const outcomes = await Promise.allSettled(
      keys.map(({ passkey }) => removePasskey(user, passkey.id, {}, newClientInfo())),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await listPasskeys(user.id)).toHaveLength(1);
  });
});
