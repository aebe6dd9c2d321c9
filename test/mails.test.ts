import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as billingMails from '@/lib/billing/subscriptions/mails';
import type { Mail } from '@/lib/clients/mail-message';
import * as accountMails from '@/lib/messaging/mails/account-mails';
import { safeGreetingName } from '@/lib/messaging/mails/safe-greeting-name';
import * as exportMails from '@/lib/portability/exports/mails';
import * as reminderMails from '@/lib/reminders/mails';
import { useFreshDatabase } from '@/test/app-database';

const RIGHT_TO_LEFT = '\u202e';

const HOSTILE = [
  'claim at http://evil.test/win',
  'http://evil.test/win',
  'evil.test',
  'www.evil.test/win',
  'evil\u3002test',
  'evil\uff0etest',
  'evil\u2024test',
  'evil\uff61test',
  'evil .test',
  'win@evil.test',
  'mailto:win',
  'evil:8080',
  '+1 555 010 0199',
  'call 5550100199',
  '5550100199',
  'Your account was closed. Log in again',
  'your prize is waiting here',
  'please write back to us today',
  'Ada\nclaim your prize',
  'Ada\tLovelace',
  `${RIGHT_TO_LEFT}tset live`,
  'ev\u200bil',
  '<a href="http://evil.test">Ada</a>',
  '<b>Ada</b>',
  '&#46;evil&#46;test',
  '[Ada](evil)',
  'Ada!',
  '💰💰💰',
  'Z\u0334\u0335\u0336\u0337\u0338algo',
  'Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'One Two Three Four Five Six',
  '\ua4f8evil',
  '-',
  "'",
  '',
];

const NAMES = [
  'Ada',
  'ada',
  'Mary Ann',
  'Jean-Luc',
  "O'Brien",
  'O’Brien',
  "D'Angelo",
  'José María de la Cruz',
  'Jose\u0301',
  'Nguyễn',
  'Nguyễn Thị Minh Khai',
  '李小龍',
  '佐々木',
  'エリー',
  'Ольга',
  'فاطمة',
  'प्रिया',
  'Zoë',
  'Ludwig van Beethoven',
  'ʻAulani',
  'McDonald',
];

describe('the name in a greeting', () => {
  it.each(HOSTILE)('is left out when it could be anything else: %j', (text) => {
    expect(safeGreetingName(text)).toBeUndefined();
  });

  it.each(NAMES)('is kept when it is a name: %s', (text) => {
    expect(safeGreetingName(text)).toBe(text.normalize('NFC'));
  });
});

const UNSUBSCRIBE = { page: 'http://localhost:3000/off', oneClick: 'http://localhost:3000/one-click' };

type Write = (text: string) => Promise<Mail>;
const named = (firstName: string) => ({ id: crypto.randomUUID(), email: 'ada@example.com', firstName });

/** Every email that greets somebody by name, with untrusted text in every field that people can choose. */
const MAILS: Record<string, Write> = {
  verificationMail: (text) => accountMails.verificationMail(named(text), 'token'),
  addressTakenMail: (text) => accountMails.addressTakenMail(named(text)),
  resetMail: (text) => accountMails.resetMail(named(text), 'token'),
  emailChangeMail: (text) => accountMails.emailChangeMail(named(text), 'token'),
  invitationMail: (text) =>
    accountMails.invitationMail(named(text), 'http://localhost:3000/signup?invite=token'),
  deletionRequestedMail: (text) => accountMails.deletionRequestedMail(named(text), new Date(0)),
  deletionCanceledMail: (text) => accountMails.deletionCanceledMail(named(text), 'owner'),
  exportReadyMail: (text) => exportMails.exportReadyMail(named(text), 1000),
  exportFailedMail: (text) => exportMails.exportFailedMail(named(text)),
  reminderMail: (text) =>
    reminderMails.reminderMail(
      { ...named(text), question: 'What made you laugh?', expiresAt: new Date(0) },
      UNSUBSCRIBE,
    ),
  letterMail: (text) =>
    reminderMails.letterMail(
      { ...named(text), question: 'What made you laugh?' },
      { quotations: [], entries: 1, seconds: 60 },
      UNSUBSCRIBE,
    ),
  paymentFailedMail: (text) =>
    billingMails.paymentFailedMail({ ...named(text), grantedPlan: null }, 'Basic', new Date(0)),
};

describe('every email', () => {
  let takeDown: () => Promise<void>;
  beforeAll(async () => {
    takeDown = await useFreshDatabase();
  });
  afterAll(() => takeDown());

  it('is in the list above', () => {
    const exported = Object.keys({ ...accountMails, ...billingMails, ...exportMails, ...reminderMails });
    const mails = exported.filter((name) => name.endsWith('Mail'));
    expect(Object.keys(MAILS).sort()).toEqual(mails.sort());
  });

  it.each(Object.entries(MAILS))('shows nothing of a hostile name: %s', async (_, write) => {
    const reference = await write('-');
    for (const text of HOSTILE) {
      const mail = await write(text);
      // The links differ in the account's id.
      const rest = (part: string) => part.replaceAll(/(verify_email|reset|change_email)\/[\w-]+/g, '');
      expect({ ...mail, html: rest(mail.html), text: rest(mail.text) }).toEqual({
        ...reference,
        html: rest(reference.html),
        text: rest(reference.text),
      });
    }
  });

  it.each(Object.entries(MAILS))('greets by a real name, in both of its parts: %s', async (_, write) => {
    const { html, text } = await write('Zoë');
    expect(text).toContain('Hello Zoë,');
    expect(html).toContain('Hello Zoë,');
  });

  it.each(Object.entries(MAILS))('has no link but its own: %s', async (_, write) => {
    const { html, text } = await write('claim at http://evil.test/win');
    const links = [...`${html}\n${text}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(
      ([link]) => new URL(link).host,
    );
    expect(new Set(links.filter((host) => host !== 'www.w3.org'))).toEqual(new Set(['localhost:3000']));
  });
});
