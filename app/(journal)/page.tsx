import { redirect } from 'next/navigation';
import { Dashboard } from '@/components/dashboard/dashboard';
import { Landing } from '@/components/landing/landing';
import { isSignupOpen } from '@/lib/invitations/service';
import { sitePlan } from '@/lib/plans/service';
import { getCurrentUser } from '@/lib/sessions/guards';

export default async function HomePage() {
  const user = await getCurrentUser();
  if (!user) return <Landing offersSignup={isSignupOpen()} sitePlan={sitePlan()} />;
  if (!user.verified) redirect('/verify_email');
  return <Dashboard userId={user.id} />;
}
