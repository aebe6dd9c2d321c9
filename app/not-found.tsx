import type { Metadata } from 'next';
import { ButtonLink } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/page-heading';

export const metadata: Metadata = { title: 'Page not found' };

export default function NotFound() {
  return (
    <div className="gutter mx-auto flex w-full max-w-[640px] flex-col items-start gap-6 py-16">
      <PageHeading lead="Check the link, or the entry may have been deleted.">
        We can’t find that page
      </PageHeading>
      <ButtonLink href="/">Go home</ButtonLink>
    </div>
  );
}
