import { Dashboard } from '@/components/home/dashboard';
import { Landing } from '@/components/landing/landing';
import { getCurrentUser, requireUser } from '@/lib/account/sessions/guards';

export default async function HomePage() {
  // Somebody whose session has ended. A browser without its cookies gets the landing page's own route.
  if (!(await getCurrentUser())) return <Landing />;
  return <Dashboard userId={(await requireUser()).id} />;
}
