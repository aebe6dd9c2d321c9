import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateEntry } from '@/lib/journal/entries/service';
import { removeEntry } from '@/lib/journal/entries/trash';
import { PROMPTS, promptOfDay } from '@/lib/journal/shared/prompts';
import { useFreshDatabase } from '@/test/app-database';
import { addTranscript } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { questionInEmail, questionOfDay } from './questions';
import { hideMemory } from './service';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

const TODAY = { year: 2026, month: 11, day: 30 };
const [PROMPT = '', OTHER = ''] = PROMPTS.filter((prompt) => prompt !== promptOfDay('2026-11-30'));
const OWN = 'What did Grandma’s kitchen smell like?';

describe('the question of a day', () => {
  it('is the prompt of the day for somebody who hasn’t answered any', async () => {
    const { id: userId } = await makeUser();
    await makeEntry(userId, { date: '2026-11-30' });
    await makeEntry(userId, { date: '2025-11-30' });
    await makeEntry((await makeUser()).id, { date: '2026-11-30', question: PROMPT });
    const prompt = promptOfDay('2026-11-30');
    expect(await questionOfDay(userId, TODAY)).toEqual({ question: prompt, answer: null, earlier: null });
  });

  it('is the one that was answered, with what was said', async () => {
    const { id: userId } = await makeUser();
    await makeEntry(userId, { date: '2026-11-29', question: OTHER });
    const { id } = await makeEntry(userId, { date: '2026-11-30', question: PROMPT });
    await addTranscript(id, 'I buried the bulbs anyway in the deep snow.');
    const { question, answer, earlier } = await questionOfDay(userId, TODAY);
    expect(question).toBe(PROMPT);
    expect(answer).toMatchObject({ entry: { id }, question: PROMPT });
    expect(answer?.words.map(({ word }) => word).join(' ')).toContain('I buried the bulbs');
    expect(earlier).toBeNull();
    await removeEntry(userId, id);
    expect((await questionOfDay(userId, TODAY)).answer).toBeNull();
  });

  it('is asked again a year later, beside the old answer, and once it’s answered, too', async () => {
    const { id: userId } = await makeUser();
    const older = await makeEntry(userId, { date: '2023-11-30', question: PROMPT });
    const old = await makeEntry(userId, { date: '2025-11-30', question: OWN });
    const asked = await questionOfDay(userId, TODAY);
    expect(asked).toMatchObject({ question: OWN, answer: null, earlier: { entry: { id: old.id } } });
    const { id } = await makeEntry(userId, { date: '2026-11-30', question: PROMPT });
    expect(await questionOfDay(userId, TODAY)).toMatchObject({
      question: PROMPT,
      answer: { entry: { id } },
      earlier: { entry: { id: older.id } },
    });
    await updateEntry(userId, id, { question: OTHER });
    expect(await questionOfDay(userId, TODAY)).toMatchObject({ question: OTHER, earlier: null });
  });

  it('doesn’t bring up what’s hidden from memories, but knows that it’s answered', async () => {
    const { id: userId } = await makeUser();
    const old = await makeEntry(userId, { date: '2025-11-30', question: PROMPT });
    await hideMemory(userId, { entryId: old.id });
    expect(await questionOfDay(userId, TODAY)).toMatchObject({ answer: null, earlier: null });
    const { id } = await makeEntry(userId, { date: '2026-11-30', question: PROMPT });
    await hideMemory(userId, { entryId: id });
    expect(await questionOfDay(userId, TODAY)).toMatchObject({ answer: { entry: { id } }, earlier: null });
  });

  it('is in emails, unless somebody wrote it', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeEntry(userId, { date: '2025-11-30', question: PROMPT });
    expect(await questionInEmail(userId, TODAY)).toBe(PROMPT);
    await updateEntry(userId, id, { question: OWN });
    expect(await questionInEmail(userId, TODAY)).toBe(promptOfDay('2026-11-30'));
  });
});
