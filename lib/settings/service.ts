import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { env } from '@/lib/env';
import type { User } from '@/lib/sessions/service';
import type { Profile, VideoSettings } from './contract';

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

/** The same for everybody: a speech service detects the language, and what plays is H.264 in MP4. */
export function videoSettings(): VideoSettings {
  // The built-in engine knows no other.
  const transcriptionLanguage = env().SPEECH_BASE_URL ? 'Detected automatically' : 'English';
  return { transcriptionLanguage, compressionType: 'H.264 (MP4)' };
}
