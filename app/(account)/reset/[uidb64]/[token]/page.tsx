import type { Metadata } from 'next';
import { NewPasswordForm } from '@/components/account/sign-in/new-password-form';

export const metadata: Metadata = { title: 'Set a new password', referrer: 'no-referrer' };

export default async function NewPasswordPage({ params }: PageProps<'/reset/[uidb64]/[token]'>) {
  const { uidb64, token } = await params;
  return <NewPasswordForm uidb64={uidb64} token={token} />;
}
