import { runSuccessfully } from './ffmpeg';
import { inputOf } from './ffmpeg-run';
import type { MediaInput } from './media-probe';

/**
 * Returns a hash of the packets of some of an MP4's streams, as they're stored, also of those that its edit lists hide.
 * @param streams their indexes, or ffmpeg's specifiers of them
 * @returns a line of SHA-256 for each, in their order
 * @throws MediaError
 */
export async function hashPackets(
  { tool, input, source, signal }: MediaInput,
  streams: readonly (number | string)[],
  maxSeconds: number,
): Promise<string> {
  const { stdout } = await runSuccessfully(tool, {
    kind: 'ffmpeg',
    input: inputOf({ input, source }),
    inputArgs: ['-ignore_editlist', '1'],
    args: [
      ...streams.flatMap((stream) => ['-map', `0:${stream}`]),
      ...['-c', 'copy', '-f', 'streamhash', '-hash', 'sha256', 'pipe:1'],
    ],
    maxSeconds,
    ...(signal && { signal }),
  });
  return stdout;
}
