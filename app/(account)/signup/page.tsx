import type { Metadata } from 'next';
import { connection } from 'next/server';
import { SignupForm } from '@/components/accounts/signup-form';
import { PageHeading } from '@/components/ui/page-heading';
import { latestToday, toIso } from '@/lib/entries/calendar';

export const metadata: Metadata = { title: 'Signup' };

export default async function SignupPage() {
  // Today is the day of the request, not of the build.
  await connection();
  return (
    <SignupForm heading={<PageHeading>Start your journal</PageHeading>} lastBirthday={toIso(latestToday())} />
  );
}
