import { Landing } from '@/components/landing/landing';
import { isSignupOpen } from '@/lib/account/invitations/service';
import { sitePlan } from '@/lib/billing/plans/service';

/** What `next.config.ts` shows visitors at `/`. It's a page of its own so that they don't load the dashboard's scripts. */
export default function LandingPage() {
  return <Landing offersSignup={isSignupOpen()} sitePlan={sitePlan()} />;
}
