import { ArchiveProblem, PROBLEMS } from './archive-problem';
import { slicePacked, type ZipIndex, type ZipMember } from './zip-index';

/** Fails as soon as more bytes arrive than the directory says, so that nothing can fill the memory. */
function checkSize(expected: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > expected) throw new ArchiveProblem(PROBLEMS.memberDamaged);
      controller.enqueue(chunk);
    },
    flush() {
      if (bytes !== expected) throw new ArchiveProblem(PROBLEMS.memberDamaged);
    },
  });
}

async function inflate(file: Blob, index: ZipIndex, member: ZipMember): Promise<ReadableStream<Uint8Array>> {
  if (member.packing === 'encrypted') throw new ArchiveProblem(PROBLEMS.encrypted);
  if (member.packing === 'other') throw new ArchiveProblem(PROBLEMS.unknownPacking);
  const packed = await slicePacked(file, index, member);
  const inflater: ReadableWritablePair<Uint8Array, BufferSource> = new DecompressionStream('deflate-raw');
  return packed.stream().pipeThrough(inflater).pipeThrough(checkSize(member.bytes));
}

/** Returns whether inflating has failed, which has no error of its own, and not reading the file. */
const isDamage = (error: unknown) => !(error instanceof ArchiveProblem || error instanceof DOMException);

/**
 * Returns a member's bytes. Only compressed ones are read here, through a stream.
 * @throws ArchiveProblem if it's damaged, encrypted, or compressed by a method that browsers don't know; DOMException if
 * the file can't be read
 */
export async function openMember(file: Blob, index: ZipIndex, member: ZipMember): Promise<Blob> {
  if (member.packing === 'plain') return slicePacked(file, index, member);
  try {
    return await new Response(await inflate(file, index, member)).blob();
  } catch (error) {
    throw isDamage(error) ? new ArchiveProblem(PROBLEMS.memberDamaged) : error;
  }
}

/**
 * Returns a member's first bytes, and no more of it is read and inflated than is needed.
 * @param bytes how many; fewer are returned if it's shorter
 * @throws as `openMember`
 */
export async function readMemberStart(
  file: Blob,
  index: ZipIndex,
  member: ZipMember,
  bytes: number,
): Promise<Uint8Array> {
  if (member.packing === 'plain') {
    const slice = await slicePacked(file, index, member);
    return new Uint8Array(await slice.slice(0, bytes).arrayBuffer());
  }
  const start = new Uint8Array(Math.min(bytes, member.bytes));
  let filled = 0;
  const reader = (await inflate(file, index, member)).getReader();
  try {
    while (filled < start.length) {
      const { done, value } = await reader.read();
      if (done) break;
      const piece = value.subarray(0, start.length - filled);
      start.set(piece, filled);
      filled += piece.length;
    }
  } catch (error) {
    throw isDamage(error) ? new ArchiveProblem(PROBLEMS.memberDamaged) : error;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return start.subarray(0, filled);
}
