import { env } from './env';

/** Who runs the site. */
export interface Operator {
  /** Fits into a sentence, also if they haven't said it. */
  name: string;
  /** Where to write to them, and what a link there says; null if they haven't said. */
  contact: { href: string; text: string } | null;
}

/** Returns who runs this site, as its settings say. */
export function operator(): Operator {
  const { OPERATOR_NAME, OPERATOR_CONTACT: contact } = env();
  const name = OPERATOR_NAME ?? 'the site’s administrator';
  if (contact === undefined) return { name, contact: null };
  const isPage = /^https?:\/\//.test(contact);
  return { name, contact: { href: isPage ? contact : `mailto:${contact}`, text: contact } };
}

/** Returns where warnings for the operator go; null if no setting has an email address. */
export function operatorEmail(): string | null {
  const { OPERATOR_EMAIL, OPERATOR_CONTACT } = env();
  return OPERATOR_EMAIL ?? (OPERATOR_CONTACT?.includes('://') ? null : (OPERATOR_CONTACT ?? null));
}

/** Returns where the source code that this site runs is; null if the operator hasn't said. */
export const sourceUrl = (): string | null => env().SOURCE_URL ?? null;

const hostOf = (url: string): string => new URL(url).host;

/** The services that this site's data passes through. */
export interface Processors {
  /** The host of the storage service. */
  storage: string;
  mail: 'Resend' | 'a mail server of the operator’s choice';
  /** Null where nobody pays. */
  payments: 'Stripe' | null;
  /** What transcribes: the engine that runs on the site's own machines, or a service, with its host where it's public. */
  speech: 'built in' | { host: string | null };
  /** The providers that people can sign in with. */
  signIn: string[];
}

/** Returns which services this site uses, as its settings say. */
export function processors(): Processors {
  const { S3_ENDPOINT, SMTP_URL, STRIPE_SECRET_KEY, SPEECH_BASE_URL, ...rest } = env();
  return {
    storage: S3_ENDPOINT === undefined ? 'Amazon S3' : hostOf(S3_ENDPOINT),
    mail: SMTP_URL === undefined ? 'Resend' : 'a mail server of the operator’s choice',
    payments: STRIPE_SECRET_KEY === undefined ? null : 'Stripe',
    // A name inside a network is nobody else's business.
    speech:
      SPEECH_BASE_URL === undefined
        ? 'built in'
        : { host: SPEECH_BASE_URL.startsWith('https://') ? hostOf(SPEECH_BASE_URL) : null },
    signIn: [...(rest.GOOGLE_CLIENT_ID ? ['Google'] : []), ...(rest.GITHUB_CLIENT_ID ? ['GitHub'] : [])],
  };
}
