import { waitUntil } from '@/local/up/processes';
import type { App } from './running-app';

export interface Email {
  id: string;
  subject: string;
  html: string;
  text: string;
  /** The path of the link to verify, to reset, to change the address or to undo a change; '' when there is none. */
  link: string;
}

export interface Mailbox {
  /** Every mail to an address, the newest first. */
  all(to: string): Promise<Email[]>;
  /** Waits for a mail to an address whose subject matches; gives the newest. */
  wait(to: string, subject?: RegExp): Promise<Email>;
}

interface ListedEmail {
  id: string;
  to: string[];
  subject: string;
}

/** Reads the local mailbox through Resend's own API. */
export function openMailbox({ addresses, secrets }: Pick<App, 'addresses' | 'secrets'>): Mailbox {
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(new URL(path, addresses.mail), {
      headers: { authorization: `Bearer ${secrets.resendApiKey}` },
    });
    if (!response.ok) throw new Error(`The mailbox answered ${response.status}.`);
    return response.json() as Promise<T>;
  };
  const list = async (to: string) => {
    const found: ListedEmail[] = [];
    let after = '';
    for (;;) {
      const page = await get<{ has_more: boolean; data: ListedEmail[] }>(`/emails?limit=100${after}`);
      found.push(...page.data.filter((mail) => mail.to.includes(to)));
      if (!page.has_more) return found;
      after = `&after=${page.data.at(-1)?.id}`;
    }
  };
  const read = async (id: string): Promise<Email> => {
    const mail = await get<Omit<Email, 'link'>>(`/emails/${id}`);
    const [link = ''] =
      /\/(verify_email|reset|change_email|security_notice)\/[\w-]+\/[\w-]+\//.exec(mail.text) ?? [];
    return { ...mail, link };
  };
  return {
    all: async (to) => Promise.all((await list(to)).map(({ id }) => read(id))),
    wait: async (to, subject = /./) => {
      let newest: ListedEmail | undefined;
      await waitUntil(async () => {
        newest = (await list(to)).find((mail) => subject.test(mail.subject));
        return newest !== undefined;
      }, 30_000);
      if (!newest) throw new Error(`No mail like ${subject} has come to ${to}.`);
      return read(newest.id);
    },
  };
}
