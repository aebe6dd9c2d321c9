import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** An email as the server took it, or refused it at its end. */
interface DeliveredMail {
  from: string;
  to: string[];
  /** Everything that was sent, with its headers. */
  raw: string;
  /** Whether it was sent over TLS. */
  secure: boolean;
  /** The user that signed in, if one did. */
  user: string | undefined;
}

const refusal = (responseCode: number, reason = `Not for ada@example.com: ${responseCode}`) =>
  Object.assign(new Error(reason), { responseCode });

/**
 * Starts an SMTP server that keeps what it's sent. It encrypts with a certificate that nobody vouches for.
 * @param password what a user must sign in with; nobody has to without it
 */
export async function startSmtpServer({
  password,
  ...options
}: SMTPServerOptions & { password?: string } = {}) {
  const mails: DeliveredMail[] = [];
  /**
   * Set by a test: the status that recipients or whole emails are answered with, what recipients are told, or what the
   * answer waits for.
   */
  const behavior: { recipient?: number; reason?: string; data?: number; wait?: Promise<unknown> } = {};
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 100,
    authOptional: password === undefined,
    onAuth: ({ username, password: given }, _session, done) =>
      given === password ? done(null, { user: username ?? '' }) : done(refusal(535)),
    onRcptTo: (_address, _session, done) =>
      done(behavior.recipient ? refusal(behavior.recipient, behavior.reason) : null),
    onData: async (stream, { envelope, secure, user }, done) => {
      const raw = await text(stream);
      mails.push({
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo.map(({ address }) => address),
        raw,
        secure,
        user,
      });
      await behavior.wait;
      done(behavior.data ? refusal(behavior.data) : null);
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    mails,
    behavior,
    port,
    url: `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
