import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type FormatClip, formatClip } from '@/test/media/format-clips';
import { all, listTracks, some } from '@/test/media/listed-tracks';
import { mp4Clip } from '@/test/media/small-clips';
import {
  flashTag,
  flashVideo,
  matroskaWithTracks,
  mp4WithTracks,
  protection,
  soundEntry,
  trackBox,
  trackEntry,
  visualEntry,
} from '@/test/media/track-clips';

describe('the tracks of what ffmpeg writes', () => {
  it.each([
    ['h264.mp4', all('video avc1', 'audio mp4a')],
    ['header-first.mp4', all('video avc1', 'audio mp4a')],
    ['fragmented.mp4', all('video avc1', 'audio mp4a')],
    ['hevc.mov', all('video hvc1', 'audio twos')],
    ['h263.3gp', all('video s263', 'audio mp4a')],
    ['prores.mov', all('video apch', 'audio sowt')],
    ['hevc.mkv', all('video V_MPEGH/ISO/HEVC', 'audio A_OPUS')],
    ['animation.mkv', all('video rle ')],
    ['cinepak.mkv', all('video cvid')],
    ['vp9.webm', all('video V_VP9', 'audio A_OPUS')],
    ['mpeg4.avi', all('video XVID', 'audio 0x0055')],
    ['mp3.avi', all('audio 0x0055')],
    ['h264.ts', all('video h264', 'audio aac')],
    ['hevc.ts', all('video hevc', 'audio eac3')],
    ['camera.mts', all('video h264', 'audio ac3')],
    ['wmv2.wmv', all('video WMV2', 'audio 0x0161')],
    ['msmpeg4.asf', all('video MP43')],
    ['spark.flv', all('audio mp3', 'video flv1')],
    ['h264.flv', all('video h264', 'audio aac')],
    ['theora.ogv', all('video theora', 'audio vorbis')],
    ['opus.ogv', all('audio opus')],
    // A program stream has no list.
    ['mpeg1.mpg', some()],
  ] satisfies [FormatClip, unknown][])('are read in %s', async (name, tracks) => {
    expect(await listTracks(await readFile(await formatClip(name)))).toEqual(tracks);
  });

  it.each(['h264.mp4', 'mpeg4.avi', 'wmv2.wmv', 'h264.ts', 'vp9.webm', 'theora.ogv'] satisfies FormatClip[])(
    'aren’t all known if %s is cut off in its header',
    async (name) => {
      const whole = await readFile(await formatClip(name));
      const marks = { 'h264.mp4': 'trak', 'mpeg4.avi': 'strf', 'vp9.webm': 'V_VP9', 'theora.ogv': 'theora' };
      const mark = name in marks ? whole.indexOf(marks[name as keyof typeof marks]) + 12 : 400;
      const cut = await listTracks(whole.subarray(0, mark)).catch(() => some());
      expect(cut?.isComplete).toBe(false);
    },
  );
});

describe('an MP4 file', () => {
  it('is complete with tracks for data, and incomplete with any that may have pictures', async () => {
    const sound = trackBox('soun', soundEntry('mp4a'));
    const data = trackBox('tmcd', soundEntry('tmcd'));
    expect(await listTracks(mp4WithTracks(sound, data))).toEqual(all('audio mp4a', 'other tmcd'));
    expect((await listTracks(mp4WithTracks(sound, trackBox('pict', visualEntry('hvc1')))))?.isComplete).toBe(
      false,
    );
    expect((await listTracks(mp4WithTracks(sound, trackBox('vide'))))?.isComplete).toBe(false);
  });

  it('has a track for each sample entry, by its format before it was encrypted', async () => {
    const clear = trackBox('vide', visualEntry('avc1'), visualEntry('encv', protection('hvc1')));
    expect(await listTracks(mp4WithTracks(clear))).toEqual(all('video avc1', 'video hvc1'));
  });

  it('without a header has no tracks that are known', async () => {
    expect(await listTracks(mp4Clip({}).subarray(0, 60))).toEqual(some());
  });
});

it('reads a Matroska file with a complex track as incomplete', async () => {
  const sound = trackEntry(2, 'A_AAC');
  expect(await listTracks(matroskaWithTracks(sound, trackEntry(17, 'S_TEXT/UTF8')))).toEqual(
    all('audio A_AAC', 'other S_TEXT/UTF8'),
  );
  expect((await listTracks(matroskaWithTracks(sound, trackEntry(3, 'X'))))?.isComplete).toBe(false);
});

it('reads the fourcc of an enhanced Flash video, and trusts no Flash video without pictures', async () => {
  const sound = flashTag(8, Buffer.from([0xaf, 0, 0, 0, 0]));
  const pictures = flashTag(9, Buffer.from('\x90hvc1\0\0', 'latin1'));
  const script = flashTag(18, Buffer.alloc(5000));
  expect(await listTracks(flashVideo(script, sound, pictures))).toEqual(all('audio aac', 'video hvc1'));
  expect(await listTracks(flashVideo(script, sound, sound))).toEqual(some('audio aac'));
});

it('knows nothing of other files', async () => {
  expect(await listTracks(Buffer.from('notes'))).toBeNull();
});
