/** Reads bits, and the codes of ITU-T H.264, 9.1. */
function createBitReader(bytes: Uint8Array) {
  let at = 0;
  const bit = (): number => {
    const byte = bytes[at >> 3];
    if (byte === undefined) throw new RangeError('the parameters end early');
    const value = (byte >> (7 - (at & 7))) & 1;
    at += 1;
    return value;
  };
  const bits = (count: number): number => {
    let value = 0;
    for (let left = count; left > 0; left -= 1) value = value * 2 + bit();
    return value;
  };
  /** An unsigned number of any length: ue(v). */
  const number = (): number => {
    let zeros = 0;
    while (bit() === 0) {
      zeros += 1;
      if (zeros > 32) throw new RangeError('the parameters are damaged');
    }
    return 2 ** zeros - 1 + bits(zeros);
  };
  return { bit, bits, number };
}

/** Removes the bytes that keep a start code from appearing inside (ITU-T H.264, 7.4.1). */
function withoutEmulationPrevention(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, index) => !(byte === 3 && bytes[index - 1] === 0 && bytes[index - 2] === 0));
}

/** Profiles whose parameters say how colors are sampled, and those that never have more than 8 bits in 4:2:0. */
const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);
const PLAIN_PROFILES = new Set([66, 77, 88]);

/** Skips what tells how frames are ordered (ITU-T H.264, 7.3.2.1.1). */
function skipFrameOrder({ bit, number }: ReturnType<typeof createBitReader>): void {
  const type = number();
  if (type === 0) number();
  if (type !== 1) return;
  bit();
  number();
  number();
  for (let left = number(); left > 0; left -= 1) number();
}

/**
 * Returns whether the sequence parameters of H.264 (ITU-T H.264, 7.3.2.1.1) are of whole frames in 8-bit 4:2:0.
 * @param unit the NAL unit
 * @throws RangeError if it's damaged
 */
function arePlainParameters(unit: Uint8Array): boolean {
  const reader = createBitReader(withoutEmulationPrevention(unit.subarray(1)));
  const { bit, bits, number } = reader;
  const profile = bits(8);
  bits(16);
  number();
  if (HIGH_PROFILES.has(profile)) {
    const [chroma, lumaDepth, chromaDepth] = [number(), number(), number()];
    bit();
    // What follows scaling matrices is seldom worth reading them.
    if (chroma !== 1 || lumaDepth !== 0 || chromaDepth !== 0 || bit() === 1) return false;
  } else if (!PLAIN_PROFILES.has(profile)) {
    return false;
  }
  number();
  skipFrameOrder(reader);
  number();
  bit();
  number();
  number();
  return bit() === 1;
}

/**
 * Returns whether an AVC decoder configuration record (ISO/IEC 14496-15, 5.3.3.1) is of one sequence, of whole frames in
 * 8-bit 4:2:0.
 * @throws RangeError if it's damaged
 */
export function isPlainAvc(record: Uint8Array): boolean {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  if ((view.getUint8(5) & 31) !== 1) return false;
  return arePlainParameters(record.subarray(8, 8 + view.getUint16(6)));
}
