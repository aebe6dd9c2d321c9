import { and, eq, ne, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import type { User } from '@/lib/account/sessions/service';
import { env } from '@/lib/foundation/env';
import type { OnboardingStep, Profile, VideoSettings } from './contract';

/** The profile as the wire has it. */
export function presentProfile(user: Pick<User, 'firstName' | 'lastName' | 'email'>): Profile {
  return { first_name: user.firstName, last_name: user.lastName, email: user.email };
}

/** Changes the names of an account; its mail address has a way of its own. */
export async function updateProfile(
  user: User,
  names: { firstName: string; lastName: string },
): Promise<Profile> {
  await db().update(users).set(names).where(eq(users.id, user.id));
  return presentProfile({ ...names, email: user.email });
}

/** Returns whether words are recognized by the built-in engine; otherwise a speech service does it. */
export const usesBuiltInSpeech = (): boolean => !env().SPEECH_BASE_URL;

/** The same for everybody: a speech service detects the language, and what plays is H.264 in MP4. */
export function videoSettings(): VideoSettings {
  // The built-in engine knows no other.
  const transcriptionLanguage = usesBuiltInSpeech() ? 'English' : 'Detected automatically';
  return { transcriptionLanguage, compressionType: 'H.264 (MP4)' };
}

/** Returns the first steps that an account's owner doesn't want to be offered again. */
export async function dismissedSteps(userId: string): Promise<string[]> {
  const [row] = await db().select({ steps: users.dismissedSteps }).from(users).where(eq(users.id, userId));
  return row?.steps ?? [];
}

/** Stops offering a first step to an account's owner. */
export async function dismissStep(userId: string, step: OnboardingStep): Promise<void> {
  await db()
    .update(users)
    .set({ dismissedSteps: sql`array_append(${users.dismissedSteps}, ${step})` })
    .where(and(eq(users.id, userId), ne(sql`${step}`, sql`all(${users.dismissedSteps})`)));
}

/** Offers a first step again to an account's owner. */
export async function restoreStep(userId: string, step: OnboardingStep): Promise<void> {
  await db()
    .update(users)
    .set({ dismissedSteps: sql`array_remove(${users.dismissedSteps}, ${step})` })
    .where(eq(users.id, userId));
}
