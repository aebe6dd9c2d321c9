import { crc32, deflateRawSync } from 'node:zlib';

/** A member of a ZIP as other programs write it. */
interface PackedMember {
  name: string | Buffer;
  content: Buffer;
  /** 0 is stored, 8 is deflated; others keep the content and only say so. */
  method: number;
  flags?: number;
  /** Instead of the compressed content. */
  packed?: Buffer;
  /** Instead of the content's length. */
  claimed?: number;
  /** Whether sizes come behind the content, as programs write that don't know them before. */
  isStreamed?: boolean;
  isZip64?: boolean;
}

const uint16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const uint32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
/** 2024-05-01 12:00:00 as MS-DOS has it. */
const DOS_TIME = [12 << 11, (44 << 9) | (5 << 5) | 1];

/** Returns a ZIP as Google, Day One, and the programs of operating systems make them (APPNOTE.TXT 6.3.10). */
export function packedZip(members: readonly PackedMember[]): Buffer {
  const [front, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const { name, content, method, flags = 0, claimed, isStreamed, isZip64, ...rest } of members) {
    const packed = rest.packed ?? (method === 8 ? deflateRawSync(content) : content);
    const path = Buffer.from(name);
    const size = claimed ?? content.length;
    const bits = flags | (isStreamed ? 8 : 0);
    const sizes = [crc32(content), packed.length, size];
    const start = [uint16(bits, method, ...DOS_TIME), uint32(...(isStreamed ? [0, 0, 0] : sizes))];
    const local = [uint32(0x04034b50), uint16(20), ...start, uint16(path.length, 0), path, packed];
    const descriptor = isStreamed ? [uint32(0x08074b50, ...sizes)] : [];
    const extra = isZip64
      ? Buffer.concat([uint16(1, 16), uint32(size, 0, packed.length, 0)])
      : Buffer.alloc(0);
    const shown = isZip64 ? [crc32(content), 0xffffffff, 0xffffffff] : sizes;
    directory.push(
      uint32(0x02014b50),
      uint16(20, 20, bits, method, ...DOS_TIME),
      uint32(...shown),
      ...[uint16(path.length, extra.length, 0, 0, 0), uint32(0, offset), path, extra],
    );
    const bytes = Buffer.concat([...local, ...descriptor]);
    front.push(bytes);
    offset += bytes.length;
  }
  const central = Buffer.concat(directory);
  const end = [
    uint32(0x06054b50),
    uint16(0, 0, members.length, members.length),
    uint32(central.length, offset),
  ];
  return Buffer.concat([...front, central, ...end, uint16(0)]);
}
