import { Dashboard } from '@/components/dashboard/dashboard';
import { Landing } from '@/components/landing/landing';
import { isSignupOpen } from '@/lib/invitations/service';
import { sitePlan } from '@/lib/plans/service';
import { getCurrentUser, requireUser } from '@/lib/sessions/guards';

export default async function HomePage() {
  // Somebody whose session has ended. A browser without its cookies gets the landing page's own route.
  if (!(await getCurrentUser())) return <Landing offersSignup={isSignupOpen()} sitePlan={sitePlan()} />;
  return <Dashboard userId={(await requireUser()).id} />;
}
