import type { Metadata } from 'next';
import { connection } from 'next/server';
import { Contact, DocumentList, DocumentPage, DocumentSection } from '@/components/landing/document';
import { EXAMPLE_EXPORT } from '@/components/landing/pictures';
import { LINK } from '@/components/ui/prose';
import { operator, type Processors, processors } from '@/lib/foundation/site';
import { CookiesTable } from './cookies-table';

export const metadata: Metadata = {
  title: 'Privacy',
  description: 'What Daylight stores, who can see it, who processes it, and when it’s deleted.',
};

function Speech({ speech }: Pick<Processors, 'speech'>) {
  if (speech === 'built in')
    return (
      <>
        <strong className="text-ink">Transcripts</strong> are made by an engine that’s part of Daylight, on
        the site’s own machines. The sound of your videos is sent to nobody for that.
      </>
    );
  return (
    <>
      <strong className="text-ink">Transcripts</strong>{' '}
      {`are made by a speech service${speech.host ? ` (${speech.host})` : ''} that this site’s operator has set up. It gets the sound of every video. What it does with that is in its own terms.`}
    </>
  );
}

function Services({ services }: { services: Processors }) {
  const { storage, mail, payments, speech, signIn } = services;
  return (
    <DocumentList>
      <li>
        <strong className="text-ink">Storage</strong> ({storage}) has your videos and pictures of them, in a
        private bucket. Links to them expire.
      </li>
      <li>
        <Speech speech={speech} />
      </li>
      <li>
        <strong className="text-ink">Emails</strong> go out through {mail}, which sees your address and what
        they say. Emails never quote what you said in a video.
      </li>
      <li>
        <strong className="text-ink">Payments:</strong>{' '}
        {payments
          ? 'Stripe takes them and has your email address and your card. We never see your card number.'
          : 'this site doesn’t charge, so no payment service is involved.'}
      </li>
      <li>
        <strong className="text-ink">Background work</strong> is scheduled by Inngest. It gets ids and
        measurements, never titles, words, or notes.
      </li>
      {signIn.length > 0 && (
        <li>
          <strong className="text-ink">Sign-in</strong> with {signIn.join(' or ')} is up to you. We get your
          name and email address from there, and nothing goes back.
        </li>
      )}
    </DocumentList>
  );
}

/** Says what happens to people's data on this site: what the software does, and what its operator has set up. */
export default async function PrivacyPage() {
  // The settings are those of the run, not of the build.
  await connection();
  const { name, contact } = operator();
  return (
    <DocumentPage
      title="Privacy"
      lead="Your journal is yours. This page says what’s stored, who can see it, and when it’s deleted."
    >
      <DocumentSection id="operator" title="Who runs this site">
        <p>
          This copy of Daylight is run by {name}. They decide where it’s hosted and which services it uses.{' '}
          <Contact contact={contact} />
        </p>
      </DocumentSection>

      <DocumentSection id="stored" title="What’s stored">
        <DocumentList>
          <li>
            <strong className="text-ink">Your account:</strong> name, email address, gender, date of birth,
            and how you sign in. Passwords are stored as hashes that can’t be turned back.
          </li>
          <li>
            <strong className="text-ink">Your journal:</strong> videos, transcripts, titles, dates, tags,
            notes, and the names that Daylight has learned from your corrections.
          </li>
          <li>
            <strong className="text-ink">Your sessions:</strong> which browsers are signed in. Security
            events, such as sign-ins, are kept for 90 days with the kind of device and the rough network (not
            the full IP address).
          </li>
          <li>
            <strong className="text-ink">On your device:</strong> recordings that aren’t uploaded yet, entries
            you choose to keep there, drafts, and settings. Logging out deletes what belongs to your account,
            and asks first about recordings. Signing a device out from another one deletes the entries kept on
            it the next time it’s online.
          </li>
        </DocumentList>
        <p>
          “Try it now” on the home page stays in your browser. It sends nothing of what you record unless you
          keep it and upload it.
        </p>
      </DocumentSection>

      <DocumentSection id="who-can-see" title="Who can see your journal">
        <p>
          On this site, your account alone. Nothing in Daylight makes a video public or shows it to another
          account: there are no public pages, share links, followers, or ads. There’s no analytics, and no
          script from another company.
        </p>
        <p>
          Videos are encrypted on their way to you, but not from the people who run the site or its storage.
          As with most services, they hold the keys and could technically open what’s stored. If you don’t
          want to trust anyone with that, you can run Daylight yourself.
        </p>
      </DocumentSection>

      <DocumentSection id="services" title="Who processes it">
        <Services services={processors()} />
        <p>Daylight has no ads and no trackers, and it doesn’t train anything on your journal.</p>
      </DocumentSection>

      <DocumentSection id="cookies" title="Cookies">
        <p>
          Daylight sets only cookies that it needs to work. None of them follow you to other sites, so there’s
          nothing to accept or reject. On a secure site, most names start with <code>__Host-</code>.
        </p>
        <CookiesTable />
      </DocumentSection>

      <DocumentSection id="deletion" title="Deletion">
        <DocumentList>
          <li>
            <strong className="text-ink">An entry</strong> that you delete goes to your trash for 30 days, or
            less if the trash is full and you delete more. You can restore it, or delete it forever right
            away. Then its video, transcript, and notes are erased within minutes, and so is every export that
            contains it. Storage is cleared again a day later, in case an upload was still on its way.
          </li>
          <li>
            <strong className="text-ink">Your account</strong> is erased seven days after you ask for it.
            Until then, you can sign in and keep it. After that, nothing is left in the database or in
            storage, and you get an email with a signed receipt that says how much was erased and when.
          </li>
          <li>
            <strong className="text-ink">Elsewhere:</strong> email and payment services keep their own
            records, such as invoices. Logs have ids, but no names and nothing you said. If the operator makes
            backups, a copy stays in those until they’re replaced, usually after 30 days.
          </li>
        </DocumentList>
        <p>
          Anyone can check a receipt against{' '}
          <a href="/api/v1/deletion_receipt_keys" className={LINK}>
            this site’s public keys
          </a>
          .
        </p>
      </DocumentSection>

      <DocumentSection id="export" title="Taking it with you">
        <p>
          Under Settings, Your Data, you can download your whole journal as ordinary files: videos as you
          uploaded them, transcripts as text and subtitles, and everything else as JSON, with a page that
          plays and searches it offline. It works on every plan.{' '}
          <a href={EXAMPLE_EXPORT} download className={LINK}>
            Download an example export
          </a>
          . An export is deleted after seven days.
        </p>
      </DocumentSection>

      <DocumentSection id="rights" title="Your rights and questions">
        <p>
          You can see, correct, export, and delete your data yourself at any time, in your journal and under
          Settings. For anything else, ask {name}. <Contact contact={contact} />
        </p>
      </DocumentSection>
    </DocumentPage>
  );
}
