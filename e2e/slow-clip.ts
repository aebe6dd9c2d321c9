import { cached, encode } from '@/test/media/encode';

/** 20 seconds that have to be encoded anew, which takes long enough to be interrupted. */
export const slowClip = () =>
  cached('slow.webm', (path) =>
    encode(
      [
        ...['-f', 'lavfi', '-t', '20', '-i', 'testsrc2=size=1280x720:rate=30'],
        ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M', '-row-mt', '1'],
      ],
      path,
    ),
  );
