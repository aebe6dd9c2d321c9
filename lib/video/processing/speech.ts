import path from 'node:path';
import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { transcribe } from '@/lib/clients/speech';
import { SpeechError } from '@/lib/clients/speech-error';
import { deletePrefix, downloadObject } from '@/lib/clients/storage-objects';
import { env } from '@/lib/foundation/env';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import { entryKey, entryPrefix } from '@/lib/journal/entries/keys';
import { deleteDraft } from '@/lib/journal/transcripts/draft';
import {
  type MachineTranscript,
  publishTranscriptParts,
  saveProgress,
  saveTranscriptPart,
} from '@/lib/journal/transcripts/machine-transcript';
import { failTranscript, NOT_ENGLISH } from '@/lib/journal/transcripts/service';
import { sendDue } from '@/lib/messaging/outbox/delivery';
import { type EntryRef, startedOf, startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { extractSpeechAudio } from '@/lib/video/media/audio';
import { probe } from '@/lib/video/media/probe';
import { isEnglishSpeech, recognizePart, storedWord } from './built-in-speech';
import {
  type EntryStep,
  findActiveEntry,
  findEntry,
  publishFiles,
  withEntryFile,
  withStepFolder,
} from './entry-files';

/** A part of the audio in storage. Times are in seconds. */
export interface SpeechObject {
  name: `speech-${number}.${string}`;
  startSeconds: number;
  endSeconds: number;
}

const AUDIO_TYPES: Record<string, string> = { mp3: 'audio/mpeg', ogg: 'audio/ogg', m4a: 'audio/mp4' };
/** What the built-in engine takes, so a part's name says who transcribes it. */
const SAMPLES = '.pcm';

/**
 * Starts the job that makes an entry's transcript. One that was started before isn't restarted when the video's job is:
 * it may be running, and whatever stopped it also starts it again.
 */
export async function requestTranscript({ userId, entryId }: EntryRef): Promise<void> {
  await db().transaction(async (tx) => {
    const [entry] = await tx
      .select({ entryId: entries.id, userId: entries.userId })
      .from(entries)
      .where(and(ownedEntry(userId, entryId), eq(entries.transcriptStatus, 'processing')))
      .for('no key update');
    if (entry && (await startedOf(tx, 'transcript', [entry])).size === 0)
      await startJobs(tx, 'transcript', [entry]);
  });
  await sendDue('event');
}

/**
 * Uploads the audio in parts that fit one call to the speech service, or one step of the built-in engine without one.
 * @returns an empty list if the audio is silent
 * @throws SpeechError `rejected` if it can't be decoded
 */
export async function publishSpeechAudio(entry: EntryStep): Promise<SpeechObject[]> {
  const form = env().SPEECH_BASE_URL ? 'compressed' : 'samples';
  return withEntryFile(entry, 'source', async ({ folder, ...file }) => {
    const source = await probe(file.tool, file.input, { signal: file.signal });
    if (source.unreadableSound) {
      const sentence = `The sound is in a format we can’t read (${source.unreadableSound}), so there’s no transcript.`;
      throw new SpeechError('rejected', sentence);
    }
    const { parts, silent } = await extractSpeechAudio({ ...file, source }, folder, form);
    if (silent) return [];
    const made = parts.map((part, index) => {
      const extension = path.extname(part.path).slice(1);
      return {
        name: `speech-${index}.${extension}` as const,
        file: part.path,
        contentType: AUDIO_TYPES[extension] ?? 'application/octet-stream',
        startSeconds: part.startSeconds,
        endSeconds: part.startSeconds + part.durationSeconds,
      };
    });
    await publishFiles(entry, made, async () => Boolean(await findActiveEntry(entry)));
    return made.map(({ name, startSeconds, endSeconds }) => ({ name, startSeconds, endSeconds }));
  });
}

/** Has the speech service transcribe a part. @throws SpeechError */
async function askService(
  part: SpeechObject,
  file: string,
  signal?: AbortSignal,
): Promise<MachineTranscript> {
  const { SPEECH_BASE_URL: baseUrl = '', SPEECH_API_KEY: apiKey, SPEECH_MODEL: model } = env();
  const contentType = AUDIO_TYPES[path.extname(file).slice(1)] ?? 'audio/mpeg';
  const { words, ...heard } = await transcribe(
    { baseUrl, apiKey, model, signal },
    { path: file, fileName: part.name, contentType },
  );
  return { ...heard, words: words.map((word) => storedWord(word, part.startSeconds)) };
}

/**
 * Transcribes one part and stores its words.
 * @param index counts from 0
 * @returns `unfinished` if another step has to go on with it, and `gone` if the entry is in the trash or purged
 * @throws SpeechError
 */
export async function transcribePart(
  entry: EntryStep,
  part: SpeechObject,
  index: number,
): Promise<'stored' | 'unfinished' | 'gone'> {
  const { signal } = entry;
  return withStepFolder(entry.entryId, async (folder) => {
    const file = path.join(folder, part.name);
    const key = entryKey(entry.userId, entry.entryId, part.name);
    if (!(await downloadObject(key, file, { signal }))) {
      throw withSafeMessage(new Error('Storage has no audio of this entry.'));
    }
    const heard = part.name.endsWith(SAMPLES)
      ? await recognizePart(entry, { index, startSeconds: part.startSeconds }, file)
      : await askService(part, file, signal);
    if (!heard) return 'unfinished';
    await saveProgress(entry, part.endSeconds);
    return (await saveTranscriptPart(entry, index, heard)) ? 'stored' : 'gone';
  });
}

/**
 * Publishes the words of all parts as the entry's transcript.
 * @throws SpeechError `rejected` if the built-in engine heard another language than its own
 */
export async function publishTranscript(entry: EntryRef, parts: SpeechObject[]): Promise<void> {
  // A run from before there was a service may have left passages that say nothing about what the service heard.
  const isBuiltIn = parts.some(({ name }) => name.endsWith(SAMPLES));
  // A draft heard the same, and made as little sense of it.
  const isNotEnglish = isBuiltIn && !(await isEnglishSpeech(entry)) && (await deleteDraft(entry));
  if (isNotEnglish) throw new SpeechError('rejected', NOT_ENGLISH);
  await publishTranscriptParts(entry, parts.length);
}

/**
 * Marks a running transcription as failed, with a sentence for the user, and deletes its audio.
 * @param generation the run's; a run that has been superseded changes nothing
 */
export async function endFailedTranscript(
  entry: EntryRef,
  sentence: string,
  generation: number,
): Promise<void> {
  await failTranscript(entry, sentence, { generation });
  await deleteSpeechAudio(entry);
}

/**
 * Deletes the extracted audio of a transcription that has ended, also what a run made that transcribed with another engine.
 * Safe to repeat: if storage is away, the transcript is there already, and its step isn't run again.
 */
export async function deleteSpeechAudio(entry: EntryRef): Promise<void> {
  // A newer run needs its own.
  if ((await findEntry(entry))?.transcriptStatus === 'processing') return;
  await deletePrefix(`${entryPrefix(entry.userId, entry.entryId)}speech-`);
}
