/** A program of its own, to be killed: it reads a clip for ever through the guard. Arguments: clip, folder. */
import { runFfmpeg } from '@/lib/video/media/ffmpeg';
import { nativeTool } from './ffmpeg-tools';

const [path = '', cwd = ''] = process.argv.slice(2);
await runFfmpeg(await nativeTool(), {
  kind: 'ffmpeg',
  input: { path },
  inputArgs: ['-stream_loop', '-1', '-re'],
  args: ['-c', 'copy', '-f', 'null', cwd],
  maxSeconds: 120,
  cwd,
});
