import type { Metadata } from 'next';
import { VerifyLinkScreen } from '../../verify-link-screen';

export const metadata: Metadata = { title: 'Verify your email', referrer: 'no-referrer' };

export default async function VerifyLinkPage({ params }: PageProps<'/verify_email/[uidb64]/[token]'>) {
  const { uidb64, token } = await params;
  return <VerifyLinkScreen uid={uidb64} token={token} verified="You are verified!" />;
}
