import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { extractSpeechAudio, readSamples } from '@/lib/video/media/audio';
import { locateFfmpeg } from '@/lib/video/media/locate-ffmpeg';
import { probe } from '@/lib/video/media/probe';
import { loadEngine } from '@/lib/video/speech/engine';
import { readSpeechFile } from '@/lib/video/speech/files';
import type { RecognizedPassage } from '@/lib/video/speech/types';
import { endedChildrenCpuSeconds, ownCpuSeconds } from '../bench/processes';
import type { Heard, RecognizerReport } from './recognize';

/**
 * Recognizes the videos that a file lists, one after another on one core, and writes a `RecognizerReport` as JSON. It's a
 * process of its own, so that its memory is the engine's.
 */
async function main(list: string): Promise<void> {
  const files: string[] = JSON.parse(await readFile(list, 'utf8'));
  // bubblewrap doesn't pass on the CPU time of what it ran.
  const tool = await locateFfmpeg({ sandbox: 'off' });
  if (!tool) throw new Error('The bench needs an ffmpeg.');
  const cpu = () => ownCpuSeconds() + endedChildrenCpuSeconds();
  const began = cpu();
  const engine = await loadEngine(readSpeechFile);
  const loadCpuSeconds = cpu() - began;
  const heard: Heard[] = [];
  for (const file of files) {
    const before = cpu();
    const source = await probe(tool, file);
    const { parts, silent } = await extractSpeechAudio(
      { tool, input: file, source },
      dirname(list),
      'samples',
    );
    const passages: RecognizedPassage[] = [];
    let seconds = 0;
    for (const { path, startSeconds, durationSeconds } of parts) {
      seconds += durationSeconds;
      if (silent) continue;
      const samples = await readSamples(path);
      for (const passage of await engine.findPassages(samples)) {
        const { words, ...rest } = await engine.recognize(samples, passage);
        passages.push({
          ...rest,
          words: words.map((word) => ({ ...word, start: word.start + startSeconds })),
        });
      }
    }
    heard.push({ seconds, cpuSeconds: cpu() - before, passages });
  }
  const report: RecognizerReport = { loadCpuSeconds, peakKilobytes: process.resourceUsage().maxRSS, heard };
  process.stdout.write(JSON.stringify(report));
}

await main(process.argv[2] ?? '');
