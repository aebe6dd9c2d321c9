import { chunk, joined, uint32 } from './small-clips';

const PACKET_BYTES = 188;

const uint16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);

/** Returns a table of a transport stream (ISO/IEC 13818-1, 2.4.4), with a checksum of zeros. */
const table = (id: number, content: Buffer) =>
  joined([
    Buffer.from([id]),
    uint16(0xb000 | (content.length + 9)),
    uint16(1),
    Buffer.from([0xc1, 0, 0]),
    content,
    uint32(0),
  ]);

/** Splits a table into packets, each of which starts with as many bytes of an adaptation field. */
function packetsOf(pid: number, content: Buffer, adaptation: number): Buffer[] {
  const packets: Buffer[] = [];
  for (let rest = joined([Buffer.from([0]), content]), first = 0x4000; rest.length > 0; first = 0) {
    const packet = Buffer.alloc(PACKET_BYTES, 0xff);
    packet.set([0x47, ...uint16(first | pid), adaptation > 0 ? 0x30 : 0x10]);
    if (adaptation > 0) packet.set([adaptation - 1, ...Buffer.alloc(adaptation - 1)], 4);
    rest.copy(packet, 4 + adaptation);
    packets.push(packet);
    rest = rest.subarray(PACKET_BYTES - 4 - adaptation);
  }
  return packets;
}

/**
 * Returns a transport stream with one program.
 * @param streams the type of each, and its descriptors
 * @param packing how many bytes of an adaptation field packets have, and the first byte of a time in front of each, if any
 */
export function transportStream(
  streams: readonly (readonly [type: number, ...descriptors: number[]])[],
  { adaptation = 0, time }: { adaptation?: number; time?: number } = {},
): Buffer {
  const listed = streams.map(([type, ...descriptors], index) =>
    joined([
      Buffer.from([type]),
      uint16(0xe100 + index),
      uint16(0xf000 | descriptors.length),
      Buffer.from(descriptors),
    ]),
  );
  const packets = [
    ...packetsOf(0, table(0, joined([uint16(1), uint16(0xf000)])), adaptation),
    ...packetsOf(0x1000, table(2, joined([uint16(0xe100), uint16(0xf000), ...listed])), adaptation),
    ...Array.from({ length: 4 }, () => packetsOf(0x1fff, Buffer.alloc(100), 0)).flat(),
  ];
  const front = time === undefined ? Buffer.alloc(0) : Buffer.from([time, 0, 0, 0]);
  return joined(packets.flatMap((packet) => [front, packet]));
}

/** Returns the first page of a stream in an Ogg file (RFC 3533, 6). */
export const oggPage = (content: string, flags = 2) =>
  joined(['OggS\0', Buffer.from([flags]), Buffer.alloc(20), Buffer.from([1, content.length]), content]);

/** Returns an AVI file with a stream of sound, and a list of it whose header has an odd length. */
export function oddAvi(): Buffer {
  const main = Buffer.alloc(56);
  main.writeUInt32LE(1, 24);
  const stream = joined(['strl', chunk('strh', Buffer.from('auds')), chunk('strf', Buffer.from([0x55, 0]))]);
  const header = joined(['hdrl', chunk('avih', main), chunk('JUNK', Buffer.alloc(7)), chunk('LIST', stream)]);
  return chunk('RIFF', joined(['AVI ', chunk('LIST', header)]));
}

const uint64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

/** Returns an object of an ASF file. @param id its GUID, as files have it, in hexadecimal */
const asfObject = (id: string, content: Uint8Array) =>
  joined([Buffer.from(id, 'hex'), uint64(content.length + 24), content]);

/** Returns the header of an ASF file with stream 1, which has sound, and more properties of another. */
export function asfSound(extendedNumber: number): Buffer {
  const properties = Buffer.alloc(72);
  properties.set(Buffer.from('409e69f84d5bcf11a8fd00805f5c442b', 'hex'));
  properties.set([1, 0], 48);
  properties.set([0x61, 1], 54);
  const extended = Buffer.alloc(64);
  extended.writeUInt16LE(extendedNumber, 48);
  const inner = asfObject('cba5e61472c632438399a96952065b5a', extended);
  const extension = asfObject('b503bf5f2ea9cf118ee300c00c205365', joined([Buffer.alloc(22), inner]));
  const objects = joined([
    Buffer.alloc(6),
    asfObject('9107dcb7b7a9cf118ee600c00c205365', properties),
    extension,
  ]);
  return asfObject('3026b2758e66cf11a6d900aa0062ce6c', objects);
}
