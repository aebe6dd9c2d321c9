import { waitUntil } from '@/local/up/processes';
import type { App } from './running-app';

interface Email {
  id: string;
  subject: string;
  html: string;
  text: string;
  /** The path of the link that verifies, resets, changes the address or undoes a change; '' without one. */
  link: string;
}

export interface Mailbox {
  /** Returns every email to an address, newest first. */
  all(to: string): Promise<Email[]>;
  /** Waits for an email to an address whose subject matches, and returns the newest one. */
  wait(to: string, subject?: RegExp): Promise<Email>;
}

/** Where the mailbox is, and the key to it. */
interface MailAccess {
  addresses: Pick<App['addresses'], 'mail'>;
  secrets: Pick<App['secrets'], 'resendApiKey'>;
}

interface ListedEmail {
  id: string;
  to: string[];
  subject: string;
}

/** Reads the local mailbox through Resend's API. */
export function openMailbox({ addresses, secrets }: MailAccess): Mailbox {
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(new URL(path, addresses.mail), {
      headers: { authorization: `Bearer ${secrets.resendApiKey}` },
    });
    if (!response.ok) throw new Error(`The mailbox answered ${response.status}.`);
    return response.json() as Promise<T>;
  };
  /** Lists the emails to an address, newest first, and asks for the next page only when it's needed. */
  async function* list(to: string): AsyncGenerator<ListedEmail> {
    let after = '';
    for (;;) {
      const page = await get<{ has_more: boolean; data: ListedEmail[] }>(`/emails?limit=100${after}`);
      yield* page.data.filter((mail) => mail.to.includes(to));
      if (!page.has_more) return;
      after = `&after=${page.data.at(-1)?.id}`;
    }
  }
  const read = async (id: string): Promise<Email> => {
    const mail = await get<Omit<Email, 'link'>>(`/emails/${id}`);
    const [link = ''] =
      /\/(verify_email|reset|change_email|security_notice)\/[\w-]+\/[\w-]+\//.exec(mail.text) ?? [];
    return { ...mail, link };
  };
  return {
    all: async (to) => {
      const emails: Email[] = [];
      for await (const { id } of list(to)) emails.push(await read(id));
      return emails;
    },
    wait: async (to, subject = /./) => {
      let newest: ListedEmail | undefined;
      await waitUntil(async () => {
        for await (const email of list(to)) {
          if (!subject.test(email.subject)) continue;
          newest = email;
          return true;
        }
        return false;
      }, 30_000);
      if (!newest) throw new Error(`No email to ${to} has a subject like ${subject}.`);
      return read(newest.id);
    },
  };
}
