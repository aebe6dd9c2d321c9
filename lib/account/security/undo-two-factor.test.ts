import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashPassword } from '@/lib/account/passwords/passwords';
import { login } from '@/lib/account/registration/service';
import { authenticate, type User } from '@/lib/account/sessions/service';
import type { SessionTokens } from '@/lib/account/sessions/tokens';
import {
  disableTwoFactor,
  enableTwoFactor,
  renewRecoveryCodes,
  setUpTwoFactor,
  twoFactorState,
} from '@/lib/account/two-factor/service';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { undoLatestNotice } from '@/test/security-notices';
import { changePassword } from './service';

const PASSWORD = 'three quiet lamps';
const THEIRS = 'four loud lanterns';
let takeDown: () => Promise<void>;
let passwordHash: string;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => takeDown());

let email: string;
let id: string;
beforeEach(async () => {
  email = `${crypto.randomUUID()}@example.com`;
  id = await addUser(email, passwordHash);
});

async function userOf(tokens: SessionTokens): Promise<User> {
  const user = await authenticate(tokens.access);
  if (!user) throw new Error('not signed in');
  return user;
}

describe('undoing a change of the second factor', () => {
  async function turnOn() {
    const { secret } = await setUpTwoFactor({ id, email });
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const nextCode = () => {
      vi.setSystemTime(Date.now() + 30_000);
      return totp.generate();
    };
    return { nextCode, codes: await enableTwoFactor(id, nextCode(), newClientInfo()) };
  }
  const enter = (code?: string) => login({ email, password: PASSWORD, code }, newClientInfo());
  const withCode = async (code?: string) => (await enter(code)).accountStatus;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    return () => vi.useRealTimers();
  });

  it('turns it off again', async () => {
    await turnOn();
    await undoLatestNotice(email, 'Two-factor login was turned on');
    expect(await twoFactorState(id)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    await enter();
  });

  it('brings back the app and its codes in place of a stranger’s', async () => {
    const mine = await turnOn();
    await disableTwoFactor(id);
    const theirs = await turnOn();
    await undoLatestNotice(email, 'Two-factor login was turned off');
    expect((await expectRejection(enter(theirs.nextCode()))).fields).toHaveProperty('code');
    expect((await expectRejection(enter(theirs.codes[0]))).fields).toHaveProperty('code');
    expect(await withCode(mine.nextCode())).toBe('VERIFIED');
    expect(await withCode(mine.codes[0])).toBe('VERIFIED');
  });

  it('brings back no code that was used', async () => {
    const { nextCode, codes } = await turnOn();
    const spent = nextCode();
    await enter(spent);
    await changePassword(
      await userOf((await enter(nextCode())).tokens),
      { currentPassword: PASSWORD, code: nextCode(), newPassword: THEIRS },
      newClientInfo(),
    );
    const used = nextCode();
    await login({ email, password: THEIRS, code: used }, newClientInfo());
    await login({ email, password: THEIRS, code: codes[0] }, newClientInfo());
    await undoLatestNotice(email, 'Your password was changed');
    for (const code of [spent, used, codes[0]]) {
      expect((await expectRejection(enter(code))).fields).toHaveProperty('code');
    }
    expect(await withCode(codes[1])).toBe('VERIFIED');
  });

  it('brings back recovery codes that were replaced', async () => {
    const { codes } = await turnOn();
    const fresh = await renewRecoveryCodes(id);
    await undoLatestNotice(email, 'You have new recovery codes');
    expect((await expectRejection(enter(fresh[0]))).fields).toHaveProperty('code');
    expect(await withCode(codes[0])).toBe('VERIFIED');
  });
});
