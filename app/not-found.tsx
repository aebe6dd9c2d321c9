import type { Metadata } from 'next';
import { ButtonLink } from '@/components/ui/button';

export const metadata: Metadata = { title: 'Page not found' };

export default function NotFound() {
  return (
    <div className="gutter mx-auto flex w-full max-w-[640px] flex-col items-start gap-5 py-16">
      <h1 className="heading heading-page">Unexpected Application Error!</h1>
      <div className="flex flex-col gap-1.5">
        <h2 className="text-17 font-semibold">We can’t find that page</h2>
        <p className="text-ink-2">Check the link, or the entry may have been deleted.</p>
      </div>
      <ButtonLink href="/">Go home</ButtonLink>
    </div>
  );
}
