import type { Metadata } from 'next';
import { connection } from 'next/server';
import { Contact, DocumentList, DocumentPage, DocumentSection } from '@/components/landing/document';
import { LINK } from '@/components/ui/prose';
import { sitePlan } from '@/lib/billing/plans/service';
import { PLAN_LIMITS } from '@/lib/billing/plans/shared/limits';
import { operator } from '@/lib/foundation/site';

export const metadata: Metadata = {
  title: 'Terms',
  description: 'What you can expect from Daylight, and what it expects from you.',
};

function Payments({ charges }: { charges: boolean }) {
  if (!charges) return <p>This site doesn’t charge. Every account has the same plan.</p>;
  return (
    <DocumentList>
      <li>
        Free costs nothing. Basic costs ${PLAN_LIMITS.Basic.price} a month, and Standard $
        {PLAN_LIMITS.Standard.price} a month, paid through Stripe. A plan renews each month until you cancel
        it under Billing + Invoicing.
      </li>
      <li>
        If you stop paying, nothing is deleted. You go back to Free. While your journal holds more than that,
        you can’t add videos, but you can still watch, read, edit, and export everything.
      </li>
      <li>If a payment fails, you keep your plan for a while and hear about it by email.</li>
    </DocumentList>
  );
}

/** Says what people and the site owe each other. */
export default async function TermsPage() {
  // The settings are those of the run, not of the build.
  await connection();
  const { name, contact } = operator();
  return (
    <DocumentPage
      title="Terms"
      lead="The agreement between you and the site’s administrator, in plain words."
    >
      <DocumentSection id="who" title="Who this is between">
        <p>
          You and {name}, as the operator of this copy of Daylight. By signing up, you agree to these terms
          and to the{' '}
          <a href="/privacy" className={LINK}>
            privacy page
          </a>
          . <Contact contact={contact} />
        </p>
      </DocumentSection>

      <DocumentSection id="yours" title="What you record is yours">
        <p>
          You own your videos, words, and notes. The site stores and processes them only to run your journal
          for you: to play them, transcribe them, search them, and export them. It gets no other right to
          them.
        </p>
      </DocumentSection>

      <DocumentSection id="account" title="Your account">
        <DocumentList>
          <li>Use your own email address, and keep your password to yourself.</li>
          <li>You’re responsible for what happens with your account until you tell us it isn’t you.</li>
          <li>You can delete your account at any time. It’s erased seven days later.</li>
        </DocumentList>
      </DocumentSection>

      <DocumentSection id="use" title="What’s not OK">
        <DocumentList>
          <li>Recording people who haven’t agreed to it, where the law asks for that.</li>
          <li>Storing anything that’s illegal to have.</li>
          <li>Trying to get into other people’s journals, or to take the site down.</li>
        </DocumentList>
        <p>An account that’s used for any of these may be turned off.</p>
      </DocumentSection>

      <DocumentSection id="payments" title="Plans and payments">
        <Payments charges={sitePlan() === null} />
      </DocumentSection>

      <DocumentSection id="promise" title="What’s promised, and what isn’t">
        <p>
          The site does its best to keep your journal safe and available, but comes without a guarantee, as
          far as the law allows that. Transcripts are made by software and have mistakes. Download an export
          from time to time: it’s free, and it’s the best protection against losing anything.
        </p>
      </DocumentSection>

      <DocumentSection id="changes" title="Changes">
        <p>
          If these terms change, this page changes. If you no longer agree to them, export your journal and
          delete your account.
        </p>
      </DocumentSection>
    </DocumentPage>
  );
}
