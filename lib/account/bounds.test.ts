import { describe, expect, it, vi } from 'vitest';
import * as passkeys from '@/lib/account/passkeys/contract';
import * as profile from '@/lib/account/profile/contract';
import * as providers from '@/lib/account/providers/contract';
import * as registration from '@/lib/account/registration/contract';
import * as security from '@/lib/account/security/contract';
import * as setup from '@/lib/account/setup/contract';
import * as reminders from '@/lib/reminders/contract';
import { atMost, type BoundCase, between, letters, many, tryBound, upTo } from '@/test/bounds';

const person = {
  ...{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', gender: 'female' },
  ...{ dateOfBirth: '1990-12-10', password: 'three quiet lamps' },
};
/** An address of so many characters, of which no part is too long by itself. */
const address = (size: number) => {
  const labels = many(3, () => letters(60)).join('.');
  return `${letters(size - labels.length - 5)}@${labels}.com`;
};
const signIn = { email: person.email, password: 'p' };
const created = { id: 'a', rawId: 'a', type: 'public-key' };
const registered = (more: object) => ({
  name: 'Laptop',
  credential: { ...created, response: { clientDataJSON: 'a', attestationObject: 'a', ...more } },
});
const asserted = (more: object) => ({
  credential: {
    ...created,
    response: { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a', ...more },
  },
});

const CASES: BoundCase[] = [
  [
    'a first name',
    registration.register.body,
    (n) => ({ ...person, firstName: letters(n) }),
    between(1, 100),
  ],
  ['a last name', registration.register.body, (n) => ({ ...person, lastName: letters(n) }), between(1, 100)],
  [
    'a changed first name',
    profile.updateProfile.body,
    (n) => ({ firstName: letters(n), lastName: 'L' }),
    between(1, 100),
  ],
  [
    'a changed last name',
    profile.updateProfile.body,
    (n) => ({ firstName: 'A', lastName: letters(n) }),
    between(1, 100),
  ],
  ['a password', registration.register.body, (n) => ({ ...person, password: letters(n) }), between(8, 128)],
  // Each is two UTF-16 code units.
  [
    'a password in emoji',
    registration.register.body,
    (n) => ({ ...person, password: '🌊'.repeat(n) }),
    between(8, 128),
  ],
  ['a changed password', security.changePassword.body, (n) => ({ newPassword: letters(n) }), between(8, 128)],
  ['an email address', registration.register.body, (n) => ({ ...person, email: address(n) }), atMost(254)],
  ['a changed email address', security.requestEmailChange.body, (n) => ({ email: address(n) }), atMost(254)],
  ['an invitation', registration.register.body, (n) => ({ ...person, invite: letters(n) }), upTo(128)],
  ['the next page', registration.register.body, (n) => ({ ...person, next: letters(n) }), upTo(1000)],
  [
    'a typed password',
    registration.login.body,
    (n) => ({ ...signIn, password: letters(n) }),
    between(1, 1024),
  ],
  ['a code to log in', registration.login.body, (n) => ({ ...signIn, code: letters(n) }), upTo(64)],
  ['a password that confirms', security.stepUp, (n) => ({ currentPassword: letters(n) }), upTo(1024)],
  ['a code that confirms', security.stepUp, (n) => ({ code: letters(n) }), upTo(64)],
  ['an app’s first code', security.enableTwoFactor.body, (n) => ({ code: letters(n) }), between(1, 64)],
  ['a link’s first part', security.undoNotice.params, (n) => ({ uid: letters(n), token: 'a' }), atMost(64)],
  ['a link’s second part', security.undoNotice.params, (n) => ({ uid: 'a', token: letters(n) }), atMost(128)],
  ['the setup code', setup.checkSetupCode.body, (n) => ({ code: letters(n) }), between(1, 200)],
  ['a code after a provider', providers.signInWithCode.body, (n) => ({ code: letters(n) }), between(1, 64)],
  ['a passkey’s name', passkeys.renamePasskey.body, (n) => ({ name: letters(n) }), between(1, 50)],
  [
    'a new passkey’s id',
    passkeys.addPasskey.body,
    (n) => ({ name: 'Laptop', credential: { ...registered({}).credential, id: letters(n) } }),
    between(1, 1400),
  ],
  [
    'a new passkey’s client data',
    passkeys.addPasskey.body,
    (n) => registered({ clientDataJSON: letters(n) }),
    between(1, 4000),
  ],
  [
    'a new passkey’s attestation',
    passkeys.addPasskey.body,
    (n) => registered({ attestationObject: letters(n) }),
    between(1, 20_000),
  ],
  [
    'a new passkey’s transports',
    passkeys.addPasskey.body,
    (n) => registered({ transports: many(n, () => 'usb') }),
    upTo(10),
  ],
  [
    'the name of a transport',
    passkeys.addPasskey.body,
    (n) => registered({ transports: [letters(n)] }),
    between(1, 20),
  ],
  [
    'a passkey’s client data',
    passkeys.signInWithPasskey.body,
    (n) => asserted({ clientDataJSON: letters(n) }),
    between(1, 4000),
  ],
  [
    'a passkey’s authenticator data',
    passkeys.signInWithPasskey.body,
    (n) => asserted({ authenticatorData: letters(n) }),
    between(1, 4000),
  ],
  [
    'a passkey’s signature',
    passkeys.signInWithPasskey.body,
    (n) => asserted({ signature: letters(n) }),
    between(1, 8000),
  ],
  [
    'a passkey’s user handle',
    passkeys.signInWithPasskey.body,
    (n) => asserted({ userHandle: letters(n) }),
    between(1, 100),
  ],
  [
    'the hour of a reminder',
    reminders.updateReminder.body,
    (hour) => ({ enabled: true, hour, timeZone: 'UTC' }),
    between(0, 23),
  ],
  [
    'the token of a reminder’s link',
    reminders.unsubscribe.params,
    (n) => ({ token: letters(n) }),
    atMost(1000),
  ],
];

describe('the limits of an account', () => {
  it.each(CASES)('hold for %s', (_name, schema, send, bound) => {
    expect(tryBound(schema, send, bound)).toEqual(bound);
  });

  it('take a date of birth before today, and at most 120 years ago', () => {
    // In UTC+14, it's November 21 already.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 10, 30) });
    try {
      const isTaken = (dateOfBirth: string) =>
        registration.register.body.safeParse({ ...person, dateOfBirth }).success;
      expect(['2026-11-21', '2026-11-20', '1906-11-21', '1906-11-20'].map(isTaken)).toEqual([
        ...[false, true],
        ...[true, false],
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});
