// The records of a ZIP file (APPNOTE.TXT 6.3.10). Members are stored uncompressed, with sizes and checksums in front,
// so any reader can take them, and each byte's place is known before the first one is written.

/** A file in a ZIP, stored uncompressed. */
export interface ZipMember {
  /** With slashes. */
  path: string;
  bytes: number;
  crc32: number;
  modifiedAt: Date;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const END_64_LOCATOR = 0x07064b50;

/** Names are UTF-8 (4.4.4, bit 11). */
const FLAGS = 1 << 11;
/** Understood by everything with ZIP64 (4.4.3). */
const VERSION = 45;
/** Made on Unix (4.4.2), so that the external attributes are a file mode. */
const MADE_BY = (3 << 8) | VERSION;
const REGULAR_FILE = 0o100644;
/** A value that's in the ZIP64 field instead, if it doesn't fit. */
const IN_ZIP64_32 = 0xffffffff;
const IN_ZIP64_16 = 0xffff;
/** Extra fields: ZIP64 (4.5.3), and a modification time in UTC, as Info-ZIP defined it. */
const EXTRA_ZIP64 = 0x0001;
const EXTRA_TIMESTAMP = 0x5455;

const exceeds32 = (value: number) => value >= IN_ZIP64_32;
const in32 = (value: number) => Math.min(value, IN_ZIP64_32);

function numbers(...fields: [size: 2 | 4 | 8, value: number][]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, size);
    at += size;
  }
  return buffer;
}

/** Returns a time as MS-DOS has it, in UTC: two-second steps from 1980 to 2107 (4.4.6). */
function dosTime(moment: Date): { date: number; time: number } {
  const year = Math.min(Math.max(moment.getUTCFullYear(), 1980), 2107);
  return {
    date: ((year - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
    time:
      (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | Math.floor(moment.getUTCSeconds() / 2),
  };
}

function timestampExtra(modifiedAt: Date): Buffer {
  const seconds = Math.min(Math.max(Math.floor(modifiedAt.getTime() / 1000), 0), 0x7fffffff);
  return Buffer.concat([numbers([2, EXTRA_TIMESTAMP], [2, 5]), Buffer.of(1), numbers([4, seconds])]);
}

/** Returns a ZIP64 extra field with those values that don't fit into 32 bits, or nothing. */
function zip64Extra(...values: number[]): Buffer {
  const large = values.filter(exceeds32).map((value): [8, number] => [8, value]);
  if (large.length === 0) return Buffer.alloc(0);
  return numbers([2, EXTRA_ZIP64], [2, large.length * 8], ...large);
}

/** Returns what local and central headers share: the fields from version to lengths, and what the lengths are of. */
function sharedFields({ path, bytes, crc32, modifiedAt }: ZipMember, offset: number) {
  const { date, time } = dosTime(modifiedAt);
  const name = Buffer.from(path);
  const extra = Buffer.concat([zip64Extra(bytes, bytes, offset), timestampExtra(modifiedAt)]);
  const fields = numbers(
    [2, VERSION],
    [2, FLAGS],
    [2, 0],
    [2, time],
    [2, date],
    [4, crc32],
    [4, in32(bytes)],
    [4, in32(bytes)],
    [2, name.length],
    [2, extra.length],
  );
  return { fields, named: Buffer.concat([name, extra]) };
}

/** Returns the record in front of a member's bytes. */
export function localHeader(member: ZipMember): Buffer {
  const { fields, named } = sharedFields(member, 0);
  return Buffer.concat([numbers([4, LOCAL_HEADER]), fields, named]);
}

/** Returns a member's record in the central directory. @param offset where its local header starts */
export function centralHeader(member: ZipMember, offset: number): Buffer {
  const { fields, named } = sharedFields(member, offset);
  // No comment, one disk, no internal attributes.
  const others = numbers([2, 0], [2, 0], [2, 0], [4, REGULAR_FILE * 0x10000], [4, in32(offset)]);
  return Buffer.concat([numbers([4, CENTRAL_HEADER], [2, MADE_BY]), fields, others, named]);
}

/** Returns what ends a ZIP file, after the central directory. */
export function endOfCentralDirectory(directory: { members: number; bytes: number; offset: number }): Buffer {
  const { members, bytes, offset } = directory;
  const isLarge = members >= IN_ZIP64_16 || exceeds32(bytes) || exceeds32(offset);
  const zip64 = isLarge
    ? numbers(
        [4, END_64],
        // The size of what follows in this record.
        [8, 44],
        [2, MADE_BY],
        [2, VERSION],
        [4, 0],
        [4, 0],
        [8, members],
        [8, members],
        [8, bytes],
        [8, offset],
        [4, END_64_LOCATOR],
        [4, 0],
        [8, offset + bytes],
        [4, 1],
      )
    : Buffer.alloc(0);
  const count = Math.min(members, IN_ZIP64_16);
  const end = numbers(
    [4, END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, in32(bytes)],
    [4, in32(offset)],
    [2, 0],
  );
  return Buffer.concat([zip64, end]);
}
