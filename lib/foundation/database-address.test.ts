import { describe, expect, it } from 'vitest';
import {
  describeVerification,
  findAddressProblem,
  findWeakMode,
  readDatabaseAddress,
} from './database-address';

const of = (host: string, query = '') =>
  readDatabaseAddress(`postgres://u:hush@${host}/d${query && `?${query}`}`);

describe('a remote host', () => {
  it.each([
    ['', 'certificate and host'],
    ['sslrootcert=/ca.pem', 'certificate and host'],
    ['application_name=journal', 'certificate and host'],
    ['sslmode=verify-full', 'certificate and host'],
    ['sslmode=require&sslrootcert=system', 'certificate and host'],
    ['sslmode=verify-ca', 'certificate'],
    ['sslmode=require&sslrootcert=/ca.pem', 'certificate'],
    ['sslmode=require', 'encrypted'],
    ['ssl=true', 'encrypted'],
    ['sslmode=prefer', 'encrypted'],
    ['sslmode=allow', 'encrypted'],
    ['sslmode=no-verify', 'encrypted'],
    ['sslmode=no-verify&sslrootcert=/ca.pem', 'encrypted'],
    ['sslmode=disable', 'off'],
  ])('is verified with “%s” as %s', (query, verification) => {
    expect(of('db.example', query).verification).toBe(verification);
  });

  it('is whatever isn’t certainly this machine', () => {
    for (const host of ['localhost.evil.example', '127.0.0.1.evil.example', 'db', '10.0.0.1', '[fd00::1]'])
      expect(of(host), host).toMatchObject({ isLocal: false, verification: 'certificate and host' });
    expect(of('localhost:1,db.example:2')).toMatchObject({ isLocal: false });
  });

  it('is warned about only where a mode promises more than it does', () => {
    for (const query of ['sslmode=require', 'sslmode=prefer', 'ssl=true'])
      expect(findWeakMode(of('db.example', query)), query).toMatch(/doesn’t verify the database server/);
    for (const query of ['', 'sslmode=no-verify', 'sslmode=disable', 'sslmode=verify-ca'])
      expect(findWeakMode(of('db.example', query)), query).toBeNull();
    expect(findWeakMode(of('localhost', 'sslmode=require'))).toBeNull();
  });
});

it('leaves this machine plain unless the address asks for more', () => {
  const local = ['localhost', '127.0.0.1:6432', '[::1]', '%2Frun%2Fpostgresql'];
  for (const host of local) expect(of(host), host).toMatchObject({ isLocal: true, verification: 'off' });
  expect(of('localhost', 'sslmode=prefer').verification).toBe('if offered');
  expect(of('localhost', 'sslmode=verify-full').verification).toBe('certificate and host');
});

it.each([
  ['db.example', '', 'TLS, certificate and host name verified.'],
  ['db.example', 'sslmode=verify-ca', 'TLS, certificate verified, host name not.'],
  ['db.example', 'sslmode=no-verify', 'Encrypted, not verified (sslmode=no-verify).'],
  ['postgres', 'sslmode=disable', 'Not encrypted (sslmode=disable).'],
  ['localhost', '', 'Not encrypted (this machine).'],
])('says how %s is reached with “%s”', (host, query, line) => {
  expect(describeVerification(of(host, query))).toBe(line);
});

it.each([
  ['?sslmode=require&sslmode=verify-full', /^has sslmode more than once/],
  ['?sslrootcert=/a&sslrootcert=/b', /^has sslrootcert more than once/],
  ['?sslmode=require?sslmode=verify-full', /^has more than one question mark/],
  ['?application_name=hush?sslmode=verify-full', /^has more than one question mark/],
  ['?sslmode=', /^has sslmode without a value/],
  ['?sslrootcert=', /^has sslrootcert without a value/],
  ['?sslmode=off', /^has a value of sslmode that doesn’t exist. .* no-verify/],
  ['?sslmode=verify_full', /^has a value of sslmode that doesn’t exist/],
  ['?sslmode=require%3Fsslmode=verify-full', /^has a value of sslmode that doesn’t exist/],
  ['?ssl=hush', /^has a value of ssl that doesn’t exist/],
])('refuses %s, and doesn’t repeat it', (query, problem) => {
  const address = `postgres://u:hush@db.example/d${query}`;
  expect(findAddressProblem(address)).toMatch(problem);
  expect(() => readDatabaseAddress(address)).toThrow(/^DATABASE_URL has /);
  expect(() => readDatabaseAddress(address)).not.toThrow(/hush/);
});

it.each(['postgres://u:hu?sh@db/d', 'postgres://u:hu#sh@db/d', 'postgres://u:hu/sh@db/d'])(
  'says how to write the password of %s',
  (address) => {
    expect(findAddressProblem(address)).toMatch(/^can’t be read. In a password, write/);
  },
);

it('takes addresses of every kind', () => {
  for (const address of [
    'postgresql:///d?host=/run/postgresql',
    'postgres://u@%2Frun%2Fpg/d',
    'postgres://a:1,b:2/d',
  ])
    expect(findAddressProblem(address), address).toBeNull();
});
