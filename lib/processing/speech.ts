import path from 'node:path';
import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries, type StoredWord } from '@/db/schema/entries';
import { entryKey } from '@/lib/entries/keys';
import { env } from '@/lib/env';
import { extractSpeechAudio } from '@/lib/media/audio';
import { probe } from '@/lib/media/probe';
import { type EntryRef, startJobs, wasStarted } from '@/lib/outbox/entry-jobs';
import { sendDue } from '@/lib/outbox/service';
import { withSafeMessage } from '@/lib/safe-error';
import { type SpeechOptions, transcribe } from '@/lib/services/speech';
import { SpeechError } from '@/lib/services/speech-error';
import { deleteObject, downloadObject } from '@/lib/services/storage-objects';
import { publishTranscriptParts, saveTranscriptPart } from '@/lib/transcripts/service';
import { type EntryStep, fetchEntryFile, isActiveEntry, publishFiles, withStepFolder } from './entry-files';
import { ffmpegTool } from './media-tool';

/** A part of the audio in storage, ready for the speech service. Times are in seconds. */
export interface SpeechObject {
  name: `speech-${number}.${string}`;
  startSeconds: number;
}

const AUDIO_TYPES: Record<string, string> = { mp3: 'audio/mpeg', ogg: 'audio/ogg', m4a: 'audio/mp4' };

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
    if (entry && !(await wasStarted(tx, 'transcript', entry))) await startJobs(tx, 'transcript', [entry]);
  });
  await sendDue('event');
}

/** Returns where to send audio. @throws SpeechError `not_configured` if there's no such service */
function speechService(): Pick<SpeechOptions, 'baseUrl' | 'apiKey' | 'model'> {
  const { SPEECH_BASE_URL: baseUrl, SPEECH_API_KEY: apiKey, SPEECH_MODEL: model } = env();
  if (baseUrl) return { baseUrl, apiKey, model };
  throw new SpeechError('not_configured', 'Transcription isn’t set up on this site yet.');
}

/**
 * Uploads the audio in parts that fit one call to a speech service.
 * @returns an empty list if the audio is silent
 * @throws SpeechError `not_configured`, before anything is downloaded
 */
export async function publishSpeechAudio(entry: EntryStep): Promise<SpeechObject[]> {
  speechService();
  const { signal } = entry;
  return withStepFolder(entry.entryId, async (folder) => {
    // Before anything is downloaded.
    const tool = await ffmpegTool();
    const file = await fetchEntryFile(entry, 'source', folder);
    const { parts, silent } = await extractSpeechAudio(
      tool,
      file,
      folder,
      await probe(tool, file, { signal }),
      { signal },
    );
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
    await publishFiles(entry, made, () => isActiveEntry(entry));
    return made.map(({ name, startSeconds }) => ({ name, startSeconds }));
  });
}

/**
 * Transcribes one part and stores its words.
 * @param index counts from 0
 * @returns false if the entry is in the trash or purged
 * @throws SpeechError
 */
export async function transcribePart(entry: EntryStep, part: SpeechObject, index: number): Promise<boolean> {
  return withStepFolder(entry.entryId, async (folder) => {
    const file = path.join(folder, part.name);
    const key = entryKey(entry.userId, entry.entryId, part.name);
    if (!(await downloadObject(key, file, { signal: entry.signal }))) {
      throw withSafeMessage(new Error('Storage has no audio of this entry.'));
    }
    const { words, ...heard } = await transcribe(
      { ...speechService(), signal: entry.signal },
      {
        path: file,
        fileName: part.name,
        contentType: AUDIO_TYPES[path.extname(file).slice(1)] ?? 'audio/mpeg',
      },
    );
    const shifted = (seconds: number) => Math.round((seconds + part.startSeconds) * 1000) / 1000;
    const stored = words.map(({ word, start, end, confidence }): StoredWord => {
      const [from, to] = [shifted(start), shifted(end)];
      return confidence === undefined ? [word, from, to] : [word, from, to, confidence];
    });
    return saveTranscriptPart(entry, index, { ...heard, words: stored });
  });
}

/** Publishes the words of all parts as the entry's transcript, and deletes the audio. */
export async function publishTranscript(entry: EntryRef, parts: SpeechObject[]): Promise<void> {
  await publishTranscriptParts(entry, parts.length);
  for (const part of parts) await deleteObject(entryKey(entry.userId, entry.entryId, part.name));
}
