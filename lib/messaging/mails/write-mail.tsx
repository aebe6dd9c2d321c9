import { render } from '@react-email/render';
import type { Mail } from '@/lib/clients/mail-message';
import { EmailTemplate } from './email-template';
import { safeGreetingName } from './safe-greeting-name';

type TemplateProps = Omit<Parameters<typeof EmailTemplate>[0], 'greeting'>;

/**
 * Writes an email in the one shape of all emails, as HTML and as plain text. The greeting is the only place where a
 * person's name appears. No email shows any other text that people choose, except for the weekly letter, which quotes its
 * reader.
 */
export async function renderEmail(
  to: { email: string; firstName?: string },
  subject: string,
  template: TemplateProps,
): Promise<Mail> {
  const name = safeGreetingName(to.firstName ?? '');
  const body = <EmailTemplate {...template} greeting={name ? `Hello ${name},` : 'Hello,'} />;
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
