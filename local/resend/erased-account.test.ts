import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resend } from 'resend';
import { expect, test } from 'vitest';
import { startResend } from './server';

test('deletes the earlier emails of an account when one says that it is erased', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'mailbox-'));
  const open = async () => {
    const mailbox = await startResend({ dir, apiKey: 're_test' });
    return { mailbox, client: new Resend('re_test', { baseUrl: mailbox.url }) };
  };
  const { mailbox, client } = await open();
  const send = (
    address: string,
    subject: string,
    { text = 'a', ...more }: { text?: string; tags?: { name: string; value: string }[] } = {},
  ) => client.emails.send({ from: 'onboarding@resend.dev', to: address, subject, text, ...more });
  const link = (name: string, account: string) => ({ text: `http://localhost/${name}/${account}/token/` });
  await send('ada@example.com', 'Of who had the address before', link('verify_email', 'YmVmb3Jl'));
  await send('before@example.com', 'Undo it', link('security_notice', 'YWRh'));
  await send('ada@example.com', 'Verify', link('verify_email', 'YWRh'));
  await send('new@example.com', 'Confirm', link('change_email', 'YWRh'));
  // Someone else's account asked to move to this address.
  await send('ada@example.com', 'Confirm', link('change_email', 'Ym9i'));
  await send('bob@example.com', 'Earlier', link('reset', 'Ym9i'));
  await send('carol@example.com', 'Reset', link('reset', 'YmVmb3Jl'));
  await send('ada@example.com', 'Last', { tags: [{ name: 'account', value: 'erased' }] });
  const subjects = async (of: Resend) =>
    (await of.emails.list()).data?.data.map(({ to: [one], subject }) => `${one} ${subject}`);
  const left = ['ada@example.com Last', 'carol@example.com Reset', 'bob@example.com Earlier'];
  expect(await subjects(client)).toEqual(left);
  await mailbox.close();
  const again = await open();
  expect(await subjects(again.client), 'after a restart').toEqual(left);
  await again.mailbox.close();
  await rm(dir, { recursive: true });
});
