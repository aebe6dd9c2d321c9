import { Landing } from '@/components/landing/landing';

/** What `next.config.ts` shows visitors at `/`. It's a page of its own so that they don't load the dashboard's scripts. */
export default function LandingPage() {
  return <Landing />;
}
