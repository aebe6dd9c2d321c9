import { expect, it } from 'vitest';
import { webmailOf } from './check-email';

it.each([
  ['ada@gmail.com', 'Gmail'],
  ['Ada@GoogleMail.com', 'Gmail'],
  ['ada@hotmail.co.uk', 'Outlook'],
  ['ada@live.nl', 'Outlook'],
  ['ada@yahoo.co.jp', 'Yahoo Mail'],
  ['ada@me.com', 'iCloud Mail'],
  ['ada@proton.me', 'Proton Mail'],
  ['ada@fastmail.fm', 'Fastmail'],
])('%s is read in %s', (email, name) => {
  expect(webmailOf(email)?.name).toBe(name);
});

it.each([
  'ada@example.com',
  'gmail.com@example.com',
  'ada@notgmail.com',
  'ada@gmail.com.example',
  'ada@icloud.co',
  'ada@live.example.com',
])('nobody knows where %s is read', (email) => {
  expect(webmailOf(email)).toBeNull();
});
