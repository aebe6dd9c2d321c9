import type { Metadata } from 'next';
import { ButtonLink } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/page-heading';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <div className="gutter mx-auto flex w-full max-w-[640px] flex-col items-start gap-6 py-16">
      <PageHeading lead="The address may have a slip in it, or what was here has been deleted.">
        There is nothing at this address
      </PageHeading>
      <ButtonLink href="/">Go home</ButtonLink>
    </div>
  );
}
