import type { Metadata } from 'next';
import { ExpiredLink, SecurityNoticeForm } from '@/components/account/sign-in/security-notice-form';
import { noticeSubject } from '@/lib/account/security/mails';
import { findNotice } from '@/lib/account/security/notices';

export const metadata: Metadata = { title: 'Secure your account', referrer: 'no-referrer' };

export default async function SecurityNoticePage({ params }: PageProps<'/security_notice/[uid]/[token]'>) {
  const { uid, token } = await params;
  const kind = await findNotice(uid, token);
  if (!kind) return <ExpiredLink />;
  return (
    <SecurityNoticeForm uid={uid} token={token} heading={noticeSubject(kind)} isDevice={kind === 'device'} />
  );
}
