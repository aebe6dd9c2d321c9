import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listTopLevelBoxes } from '@/lib/video/media/mp4-layout';
import { fragmentedMp4, h264Mp4 } from './clips';
import { cached, encode } from './encode';

const WRONG_DURATION_SECONDS = 360_000;

/** The header of a recording that ended before its first fragment. */
export const noFramesMp4 = () =>
  cached('zero-frames.mp4', async (path) => {
    const source = await fragmentedMp4();
    const first = (await listTopLevelBoxes(source)).find((box) => box.type === 'moof');
    await writeFile(path, (await readFile(source)).subarray(0, first && first.start - 8));
  });

/** Four seconds whose header says 100 hours (mvhd, ISO/IEC 14496-12, 8.2.2, and the tracks' mdhd). */
export const wrongDurationMp4 = () =>
  cached('lying.mp4', async (path) => {
    const bytes = await readFile(await h264Mp4());
    for (const box of ['mvhd', 'mdhd']) {
      for (let at = bytes.indexOf(box); at > 0; at = bytes.indexOf(box, at + 4)) {
        const timescale = bytes.readUInt32BE(at + 16);
        bytes.writeUInt32BE(Math.min(2 ** 32 - 1, timescale * WRONG_DURATION_SECONDS), at + 20);
      }
    }
    await writeFile(path, bytes);
  });

/** Four seconds of WebM whose Duration element says 100 hours. */
export const wrongDurationWebm = () =>
  cached('lying.webm', async (path) => {
    const args = ['-f', 'lavfi', '-t', '4', '-i', 'testsrc2=size=320x180:rate=30'];
    await encode([...args, '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'], path);
    const bytes = await readFile(path);
    bytes.writeDoubleBE(WRONG_DURATION_SECONDS * 1000, bytes.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3);
    await writeFile(path, bytes);
  });

/** One frame an hour: here the 100 hours are no lie. */
export const hundredHours = () =>
  cached('hundred-hours.mp4', async (path) => {
    const picture = [
      '-f',
      'lavfi',
      '-t',
      String(WRONG_DURATION_SECONDS),
      '-i',
      'testsrc2=size=320x180:rate=1/3600',
    ];
    await encode([...picture, '-c:v', 'libx264', '-preset', 'ultrafast'], path);
  });

/**
 * A small VP8 clip that claims 16,000 × 16,000 pixels in its key frames (RFC 6386, 9.1) and in its track header
 * (PixelWidth 0xB0, PixelHeight 0xBA).
 */
export const hugePicture = () =>
  cached('huge.webm', async (path) => {
    const args = ['-f', 'lavfi', '-t', '1', '-i', 'testsrc2=size=640x360:rate=30', '-c:v', 'libvpx'];
    await encode([...args, '-deadline', 'realtime', '-cpu-used', '8'], path);
    const bytes = await readFile(path);
    const edge = 16_000;
    const claim = (before: number[], write: (at: number) => void) => {
      const pattern = Buffer.from(before);
      for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, at + 1))
        write(at + pattern.length);
    };
    claim([0x9d, 0x01, 0x2a], (at) => {
      bytes.writeUInt16LE(edge, at);
      bytes.writeUInt16LE(edge, at + 2);
    });
    claim([0xb0, 0x82, 0x02], (at) => bytes.writeUInt16BE(edge, at - 1));
    claim([0xba, 0x82, 0x01], (at) => bytes.writeUInt16BE(edge, at - 1));
    await writeFile(path, bytes);
  });

/** The first bytes of an MP4, and then a diary. */
export const textWithFtyp = () =>
  cached('text.mp4', async (path) => {
    const header = Buffer.from([
      0,
      0,
      0,
      24,
      ...Buffer.from('ftypisom'),
      0,
      0,
      2,
      0,
      ...Buffer.from('isomavc1'),
    ]);
    await writeFile(
      path,
      Buffer.concat([header, Buffer.from('Dear diary, this is no video. '.repeat(5000))]),
    );
  });

/** A server that no file may make anyone talk to. */
export async function startTrapServer(): Promise<{
  url: string;
  port: number;
  hits: () => number;
  close: () => void;
}> {
  let connections = 0;
  const server = createServer((_, response) => response.end('caught')).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    hits: () => connections,
    close: () => server.close(),
  };
}

/** Playlists by the name of their kind, each pointing at a local file and at the trap. */
export function playlists(secret: string, trap: { url: string; port: number }): Record<string, string> {
  const segments = `<SegmentURL media="file://${secret}"/><SegmentURL media="${trap.url}/dash.mp4"/>`;
  return {
    hls: [
      ...['#EXTM3U', '#EXT-X-TARGETDURATION:4', '#EXTINF:4,', `file://${secret}`, '#EXTINF:4,'],
      ...[`${trap.url}/hls.mp4`, '#EXT-X-ENDLIST', ''],
    ].join('\n'),
    'hls-master': `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${trap.url}/master.m3u8\n`,
    ffconcat: `ffconcat version 1.0\nfile '${secret}'\nfile '${trap.url}/concat.mp4'\n`,
    dash: [
      '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"',
      ' profiles="urn:mpeg:dash:profile:isoff-main:2011" mediaPresentationDuration="PT4S"><Period><AdaptationSet>',
      `<Representation id="1" mimeType="video/mp4" bandwidth="1"><SegmentList duration="4">${segments}`,
      '</SegmentList></Representation></AdaptationSet></Period></MPD>',
    ].join(''),
    sdp: `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${trap.port} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    'image-sequence': `${secret.replace(/\.mp4$/, '')}%d.mp4\n`,
    svg: `<svg xmlns="http://www.w3.org/2000/svg"><image href="${trap.url}/x.png"/></svg>`,
  };
}
