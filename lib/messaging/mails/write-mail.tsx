// One package each: the one with all of them also loads a CSS compiler and a syntax highlighter, for most of a second.
import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Hr } from '@react-email/hr';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Preview } from '@react-email/preview';
import { Text } from '@react-email/text';
import type { Mail } from '@/lib/clients/mail-message';
import { safeGreetingName } from './safe-greeting-name';

/** What one email says. */
interface MailText {
  preview: string;
  /** The subject, unless it's another one. */
  heading?: string;
  paragraphs: string[];
  /** Text for or from programs, with lines of its own. */
  code?: string;
  /** Sentences of its reader's own, each with a link to where it was said. */
  quotations?: readonly { label: string; text: string; url: string }[];
  /** A paragraph before the button. */
  closing?: string;
  action?: { label: string; url: string };
  footnote: string;
  /** After the footnote. */
  footnoteLink?: { label: string; url: string };
}

const FONT_FAMILY = "Figtree, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const SERIF = 'Literata, Georgia, serif';

const LIGHT = { canvas: '#f7faf8', sheet: '#ffffff', ink: '#141c18', faint: '#56615a', line: '#dfe6e1' };
const ACCENT = '#17664c';
const SMALL = { color: LIGHT.faint, fontSize: 13, lineHeight: 1.5 };
const DARK = { canvas: '#0d110f', sheet: '#151a17', ink: '#eef3f0', faint: '#a3aea7', line: '#2a322d' };

/** For email clients that support dark mode. The color schemes tell the ones that invert colors that we have both. */
const DARK_STYLES = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .canvas, .canvas > table > tbody > tr > td { background-color: ${DARK.canvas} !important; }
  .sheet { background-color: ${DARK.sheet} !important; }
  .ink { color: ${DARK.ink} !important; }
  .faint { color: ${DARK.faint} !important; }
  .name { color: #7fd1b0 !important; }
  .line { border-color: ${DARK.line} !important; }
  .button { background-color: #7fd1b0 !important; color: #0f2019 !important; }
}`;

function Paragraph({ children }: { children: string }) {
  return (
    <Text className="ink" style={{ color: LIGHT.ink, fontSize: 16, lineHeight: 1.6 }}>
      {children}
    </Text>
  );
}

function Quotation({ label, text, url }: { label: string; text: string; url: string }) {
  return (
    <>
      <Text className="faint" style={{ ...SMALL, margin: '24px 0 4px' }}>
        {label}
      </Text>
      <Text
        dir="auto"
        className="ink"
        style={{ color: LIGHT.ink, fontFamily: SERIF, fontSize: 20, lineHeight: 1.45, margin: '0 0 4px' }}
      >
        “{text}”
      </Text>
      <Text style={{ fontSize: 14, lineHeight: 1.5, margin: 0 }}>
        <Link className="name" href={url} style={{ color: ACCENT, textDecoration: 'underline' }}>
          Watch this moment
        </Link>
      </Text>
    </>
  );
}

/** The layout of every email: a heading, a few sentences, and a button with its link spelled out below. */
function EmailTemplate({
  preview,
  heading,
  greeting,
  paragraphs,
  code,
  quotations = [],
  closing,
  action,
  footnote,
  footnoteLink,
}: MailText & { heading: string; greeting: string }) {
  return (
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{heading}</title>
        <style>{DARK_STYLES}</style>
      </Head>
      <Preview>{preview}</Preview>
      <Body
        className="canvas"
        style={{ backgroundColor: LIGHT.canvas, fontFamily: FONT_FAMILY, margin: 0, padding: '32px 16px' }}
      >
        <Container
          className="sheet"
          style={{ backgroundColor: LIGHT.sheet, borderRadius: 12, maxWidth: 520, padding: '32px 32px 24px' }}
        >
          <Text className="name" style={{ color: ACCENT, fontSize: 16, fontWeight: 600, margin: 0 }}>
            Daylight
          </Text>
          <Heading
            className="ink"
            style={{ color: LIGHT.ink, fontFamily: SERIF, fontSize: 26, lineHeight: 1.2 }}
          >
            {heading}
          </Heading>
          {[greeting, ...paragraphs].map((paragraph) => (
            <Paragraph key={paragraph}>{paragraph}</Paragraph>
          ))}
          {quotations.map((quotation) => (
            <Quotation key={quotation.url} {...quotation} />
          ))}
          {closing && <Paragraph>{closing}</Paragraph>}
          {code && (
            <pre
              className="ink"
              style={{
                color: LIGHT.ink,
                fontFamily: 'monospace',
                fontSize: 13,
                whiteSpace: 'pre-wrap',
                wordBreak: 'break-word',
              }}
            >
              {code}
            </pre>
          )}
          {action && (
            <>
              <Button
                href={action.url}
                className="button"
                style={{
                  backgroundColor: ACCENT,
                  borderRadius: 999,
                  color: '#ffffff',
                  fontSize: 16,
                  fontWeight: 600,
                  padding: '13px 24px',
                }}
              >
                {action.label}
              </Button>
              <Text className="faint address" style={{ ...SMALL, wordBreak: 'break-all' }}>
                {action.url}
              </Text>
            </>
          )}
          <Hr className="line" style={{ borderColor: LIGHT.line }} />
          <Text className="faint" style={SMALL}>
            {footnote}
            {footnoteLink && (
              <>
                {' '}
                <Link
                  className="faint"
                  href={footnoteLink.url}
                  style={{ color: LIGHT.faint, textDecoration: 'underline' }}
                >
                  {footnoteLink.label}
                </Link>
              </>
            )}
          </Text>
        </Container>
      </Body>
    </Html>
  );
}

/**
 * Writes an email in the one shape of all emails, as HTML and as plain text. The greeting is the only place where a
 * person's name appears. No email shows any other text that people choose, except for the weekly letter, which quotes its
 * reader.
 */
export async function renderEmail(
  to: { email: string; firstName?: string },
  subject: string,
  text: MailText,
): Promise<Mail> {
  const name = safeGreetingName(to.firstName ?? '');
  // Not with the others: most of a server's processes write no email, and it takes a fifth of a second to load.
  const { render } = await import('@react-email/render');
  const body = <EmailTemplate heading={subject} {...text} greeting={name ? `Hello ${name},` : 'Hello,'} />;
  return {
    to: to.email,
    subject,
    html: await render(body),
    text: await render(body, {
      plainText: true,
      htmlToTextOptions: {
        selectors: [
          { selector: 'h1', options: { uppercase: false } },
          // The button's address stands there already.
          { selector: '.address', format: 'skip' },
        ],
      },
    }),
  };
}
