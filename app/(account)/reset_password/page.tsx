import type { Metadata } from 'next';
import { ResetRequestForm } from '@/components/account/sign-in/reset-request-form';

export const metadata: Metadata = { title: 'Reset your password' };

export default function ResetRequestPage() {
  return <ResetRequestForm />;
}
