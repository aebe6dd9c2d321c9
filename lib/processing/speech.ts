import path from 'node:path';
import type { StoredWord } from '@/db/schema/entries';
import { entryKey } from '@/lib/entries/keys';
import { env } from '@/lib/env';
import { extractSpeechAudio } from '@/lib/media/audio';
import { probe } from '@/lib/media/probe';
import { transcribe } from '@/lib/services/speech';
import type { Transcription } from '@/lib/services/speech-answer';
import { deleteObject, download } from '@/lib/services/storage';
import { saveMachineTranscript } from '@/lib/transcripts/service';
import { isLive, publish } from './publish';
import { type EntryRef, ffmpegTool, inPrivateFolder, storedFile } from './workspace';

/** A stretch of sound in storage, ready for the speech service. Seconds. */
export interface SpeechObject {
  name: `speech-${number}.${string}`;
  startSeconds: number;
}

const AUDIO_TYPES: Record<string, string> = { mp3: 'audio/mpeg', ogg: 'audio/ogg', m4a: 'audio/mp4' };

/** Puts the sound in storage, in parts that one call to a speech service takes. None when nobody can be heard. */
export async function publishSpeechAudio(entry: EntryRef): Promise<SpeechObject[]> {
  return inPrivateFolder(entry.entryId, async (folder) => {
    const [tool, file] = await Promise.all([ffmpegTool(), storedFile(entry, 'source', folder)]);
    const { parts, silent } = await extractSpeechAudio(tool, file, folder, await probe(tool, file));
    if (silent) return [];
    const made = parts.map((part, index) => {
      const extension = path.extname(part.path).slice(1);
      return {
        name: `speech-${index}.${extension}` as const,
        file: part.path,
        contentType: AUDIO_TYPES[extension] ?? 'application/octet-stream',
        startSeconds: part.startSeconds,
      };
    });
    await publish(entry, made, () => isLive(entry));
    return made.map(({ name, startSeconds }) => ({ name, startSeconds }));
  });
}

/**
 * What is said in one part, with times from the start of the video.
 * @throws SpeechError
 */
export async function transcribePart(entry: EntryRef, part: SpeechObject): Promise<Transcription> {
  return inPrivateFolder(entry.entryId, async (folder) => {
    const file = path.join(folder, part.name);
    const key = entryKey(entry.userId, entry.entryId, part.name);
    if (!(await download(key, file))) throw new Error('the sound of an entry is not in storage');
    const { SPEECH_BASE_URL, SPEECH_API_KEY, SPEECH_MODEL } = env();
    const heard = await transcribe(
      { baseUrl: SPEECH_BASE_URL, apiKey: SPEECH_API_KEY, model: SPEECH_MODEL },
      {
        path: file,
        fileName: part.name,
        contentType: AUDIO_TYPES[path.extname(file).slice(1)] ?? 'audio/mpeg',
      },
    );
    const shifted = (seconds: number) => Math.round((seconds + part.startSeconds) * 1000) / 1000;
    const words = heard.words.map((word) => ({
      ...word,
      start: shifted(word.start),
      end: shifted(word.end),
    }));
    return { ...heard, words };
  });
}

/** Keeps the words of all parts as the entry's transcript, and drops the sound that was made for it. */
export async function publishTranscript(
  entry: EntryRef,
  parts: SpeechObject[],
  heard: Transcription[],
): Promise<void> {
  const words = heard.flatMap((part) =>
    part.words.map(
      ({ word, start, end, confidence }): StoredWord =>
        confidence === undefined ? [word, start, end] : [word, start, end, confidence],
    ),
  );
  await saveMachineTranscript(entry.entryId, {
    words,
    language: heard.find((part) => part.language)?.language ?? null,
    estimated: heard.some((part) => part.estimated),
    engine: heard[0]?.engine ?? null,
  });
  for (const part of parts) await deleteObject(entryKey(entry.userId, entry.entryId, part.name));
}
