import { deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';

/** Six repeatable strings of any UTF-16 units, halves of surrogate pairs among them. */
const RANDOM = fc
  .sample(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 40 }), {
    numRuns: 6,
    seed: 20261122,
  })
  .map((units) => String.fromCharCode(...units));

/** Texts that trouble parsers, databases, headers, logs or pages. */
export const TEXTS: readonly string[] = [
  '',
  ' ',
  '\t\n',
  // What Postgres, JSON and HTTP refuse: NUL, halves of a surrogate pair, control characters, line ends.
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\u0001\u001b[31m',
  '\u007f\u0085\u009f',
  'a\r\nSet-Cookie: a=b',
  '\ufeff2026-03-01',
  '\ufffe\uffff',
  '\u2028\u2029',
  // Unicode that changes its length or its direction.
  '\u202egnp.exe',
  'é',
  'e\u0301'.repeat(40),
  'ﷺ'.repeat(100),
  '👩‍👩‍👧‍👦'.repeat(30),
  `Zalgo${'\u0300'.repeat(500)}`,
  // Other languages' syntax.
  "'; drop table entries; --",
  "' or '1'='1",
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '{{7*7}}#{7*7}<%= 7*7 %>',
  '%s%n%x%d',
  '$(reboot)`reboot`',
  '../../../etc/passwd',
  '..\\..\\windows',
  '%00%0d%0a%ff%2e%2e%2f',
  'javascript:alert(1)',
  '//elsewhere.example',
  '(((((((((((((((((((((a|b',
  '"unclosed quote -minus & | ! <-> :* \\',
  '\\',
  '%',
  '_',
  // Names that objects have.
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '{"a":1}',
  '[]',
  // Numbers as text.
  '0',
  '-0',
  '-1',
  '1.5',
  '1e999',
  'NaN',
  'Infinity',
  '0x10',
  '१२३',
  '2147483648',
  '9007199254740993',
  '99999999999999999999',
  // Dates that don't exist, or that not everything can represent.
  '0000-01-01',
  '0001-01-01',
  '0000-00-00',
  '1900-01-01',
  '2026-02-30',
  '2026-13-01',
  '2024-02-29',
  '9999-12-31',
  '10000-01-01',
  '+275760-09-13',
  '-271821-04-20',
  '02/30/2026',
  '2026-03-01T00:00:00Z',
  // Ids that aren't, and of nothing.
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '------------------------------------',
  '0190a0b0-0000-7000-8000-00000000000g',
  '{0190a0b0-0000-7000-8000-000000000000}',
  '0190A0B0-0000-7000-8000-000000000000',
  // Encodings: base64url of a JSON array, of bytes that aren't UTF-8, and what isn't base64url.
  'W10',
  'WzEsMiwzXQ',
  '_____w',
  'AA==',
  // Cursors: of a date, a moment and an id that can't be.
  ...[
    ['2026-02-30', '2026-03-01T00:00:00.000Z', '0190a0b0-0000-7000-8000-000000000000'],
    ['0000-01-01', '2026-03-01T00:00:00.000Z', '0190a0b0-0000-7000-8000-000000000000'],
    ['2026-03-01', '+275760-09-13T00:00:00.000Z', '0190a0b0-0000-7000-8000-000000000000'],
    ['2026-03-01', '-271821-04-20T00:00:00.000Z', '0190a0b0-0000-7000-8000-000000000000'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z', '------------------------------------'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z\0', '\0'],
    [['2026-03-01'], {}, null],
  ].map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')),
  // Media types and addresses.
  'video/mp4\0',
  'video/mp4; é',
  'video/mp4\r\nx: y',
  'text/html',
  'video/*',
  'a@b',
  '"a b"@example.com',
  'ada@example.com\0',
  'ada@exämple.com',
  `${'a'.repeat(250)}@example.com`,
  // Long.
  'a'.repeat(129),
  'a'.repeat(3000),
  ' '.repeat(3000),
  'a,'.repeat(1500),
  ...RANDOM,
];

/** Whatever JSON can say in place of a value, as its source text. */
export const JSON_SOURCES: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1.5',
  '0.1e-320',
  '1e400',
  '-1e400',
  '2147483648',
  '9007199254740993',
  '100000000000000000000',
  '[]',
  '[[]]',
  '[null]',
  '["a","a"]',
  '[0,"0",{}]',
  '{}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":null,"length":-1,"then":{}}',
  '{"id":"0190a0b0-0000-7000-8000-000000000000"}',
  '{"day":31,"month":2,"year":2026}',
  '{"day":1,"month":1,"year":0}',
  '{"day":1e300,"month":-1,"year":1e300}',
  '{"day":"1","month":"1","year":"2026"}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
  `[${Array(2000).fill('"a"').join()}]`,
  '"\\u0000\\ud800"',
];

/** How a value can be written in an address beside what encoding a text gives; some aren't UTF-8, some no escapes. */
export const ESCAPES: readonly string[] = [
  ...['%ff', '%', '%zz', '%c0%af', '%ed%a0%80', '%f4%90%80%80', '%00', '%0d%0a', '%25ff', '%e9', 'a%'],
  ...['%2e%2e%2f', '%2f', '%5c', '%3f', '%23', '%20', '+', ';', '%u0000'],
];

/** Bodies that aren't what any operation takes; a Buffer isn't UTF-8. */
export const BODIES: readonly (string | Buffer)[] = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '0',
    '""',
    '"text"',
    '[]',
    '[{}]',
    '{}',
    '{',
    '{"a":1,}',
    '{"a":1}{}',
    '\ufeff{}',
  ],
  ...['{"a":1,"a":2}', "{'a':1}", 'NaN', 'undefined', 'a=b&c=d', '<a/>', '\0', '{"\\u0000":"\\ud800"}'],
  '{"__proto__":{"polluted":true},"constructor":1,"toString":1,"hasOwnProperty":1}',
  `{${Array.from({ length: 2000 }, (_, index) => `"${index}":${index}`).join()}}`,
  '['.repeat(20_000),
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from('{"a":"\u00e9\u00ff"}', 'latin1'),
  Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
];

/** Bodies that are sent as gzip: good, damaged, something else, and 10 MB in 10 kB. */
export const GZIPS: readonly Buffer[] = [
  gzipSync('{}'),
  gzipSync('{"a":'),
  gzipSync('{}').subarray(0, -5),
  gzipSync(gzipSync('{}')),
  deflateSync('{}'),
  Buffer.from('{}'),
  Buffer.concat([gzipSync('{}'), Buffer.from('{}')]),
  gzipSync(Buffer.alloc(10_000_000, '[')),
];

/** What a header can carry: any byte but control characters. */
export const HEADER_VALUES: readonly string[] = [
  ...['', ' ', ',', ';', '=', '%00', '%ff', '%', '-1', '1e999', 'null', '__proto__', '*', '*/*;q=NaN', '\t'],
  ...[
    '\u00e9\u00ff',
    '\u0080\u009f',
    '"',
    '"unclosed',
    "'; drop table users; --",
    '<script>alert(1)</script>',
  ],
  ...['http://elsewhere.example', 'https://', '//', 'a'.repeat(4000), 'a=b; '.repeat(500), 'bytes=0-,9-1'],
];
