import type { Metadata } from 'next';
import { VerifyLinkScreen } from '../../verify-link-screen';

export const metadata: Metadata = { title: 'Verify your email', referrer: 'no-referrer' };

export default async function VerifyLinkPage({
  params,
}: {
  params: Promise<{ uidb64: string; token: string }>;
}) {
  const { uidb64, token } = await params;
  return <VerifyLinkScreen uid={uidb64} token={token} verified="You are verified!" />;
}
