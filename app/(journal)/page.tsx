import { Dashboard } from '@/components/home/dashboard';
import { Landing } from '@/components/landing/landing';
import { isSignupOpen } from '@/lib/account/invitations/service';
import { getCurrentUser, requireUser } from '@/lib/account/sessions/guards';
import { sitePlan } from '@/lib/billing/plans/service';

export default async function HomePage() {
  // Somebody whose session has ended. A browser without its cookies gets the landing page's own route.
  if (!(await getCurrentUser())) return <Landing offersSignup={isSignupOpen()} sitePlan={sitePlan()} />;
  return <Dashboard userId={(await requireUser()).id} />;
}
