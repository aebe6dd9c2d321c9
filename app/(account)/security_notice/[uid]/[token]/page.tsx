import type { Metadata } from 'next';
import { ExpiredLink } from '@/components/account/sign-in/expired-link';
import { SecurityNoticeForm } from '@/components/account/sign-in/security-notice-form';
import { NOTICE_SUBJECTS } from '@/lib/account/security/notice-subjects';
import { findNotice } from '@/lib/account/security/notices';

export const metadata: Metadata = { title: 'Secure your account', referrer: 'no-referrer' };

export default async function SecurityNoticePage({ params }: PageProps<'/security_notice/[uid]/[token]'>) {
  const { uid, token } = await params;
  const kind = await findNotice(uid, token);
  if (!kind) return <ExpiredLink />;
  return (
    <SecurityNoticeForm
      uid={uid}
      token={token}
      heading={NOTICE_SUBJECTS[kind]}
      isDevice={kind === 'device'}
    />
  );
}
