/** Returns a generator of numbers from 0 to 1 that are the same on every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const list = (words: string) => words.trim().split(/\s*,\s*|\s*\n\s*/);

const PEOPLE = list(
  'Anna, Ben, Clara, Daniel, Ella, Felix, Grace, Henry, Ida, Jonas, Kate, Leo, Maria, Noah, Olivia, Paul, Ruth, Sam, Theo, Vera, my mother, my father, my sister, my brother, Grandma, our neighbour, my old teacher, the children',
);
const BEGINNINGS = list(
  'ash, maple, river, stone, green, north, wood, bright, fair, gold, hazel, king, lake, mill, oak, red, silver, spring, white, winter, cold, hill, elm, swan, thorn',
);
const ENDINGS = list(
  'ford, wick, field, bridge, haven, dale, mouth, ton, bury, brook, gate, stead, well, shore, moor, cliff',
);
const THINGS = list(
  'the garden, the old piano, a photograph, the kitchen table, a long letter, the bicycle, an apple cake, the telescope, a wooden boat, the blue coat, a violin, the bookshelf, some tomatoes, the car, a puzzle, the roof, my notebook, a lantern, the fence, an umbrella, the washing machine, a birthday present, the tent, some bread, a jigsaw, the aquarium, the guitar, a scarf, the greenhouse, the camera',
);
const DEEDS = list(
  'repaired, painted, found, sold, borrowed, carried, cleaned, forgot, finished, started, photographed, lost, bought, wrapped, moved, drew, tuned, measured, baked, dropped',
);
const FEELINGS = list(
  'happy, tired, grateful, nervous, proud, calm, restless, hopeful, sad, curious, surprised, lonely, cheerful, patient, annoyed, relieved, homesick, excited, thoughtful, content',
);
const WEATHERS = list(
  'it rained all morning, the sun came out at noon, there was fog over the river, the wind was terrible, it snowed a little, the evening was warm, a storm passed in the night, the sky was perfectly clear',
);
const TIMES = list(
  'this morning, after lunch, in the evening, yesterday, last night, before breakfast, at work, on the train, around midnight, at the weekend',
);
const TOPICS = list(
  'work, sleep, the marathon, the move, the exam, the wedding, the new job, the diet, the journey, the budget, the choir, the allotment, the operation, the interview, the holiday, the renovation',
);

const SENTENCES = [
  '{time} I {deed} {thing} with {person}.',
  'I felt {feeling} because {person} had {deed} {thing}.',
  'We went to {place} and {weather}.',
  "I don't know why, but {topic} makes me {feeling}.",
  '{person} said that {place} would be a good place to live.',
  'I want to remember how {feeling} {person} looked when we talked about {topic}.',
  'Then {person} {deed} {thing}, and I was {feeling} again.',
  'The best moment was {time}, when {weather}.',
  'I have been thinking about {topic} and about {person}.',
  'Tomorrow I will drive to {place} to see {person}.',
  "There's nothing like {thing} on a day when {weather}.",
  'I spoke with {person} for an hour, mostly about {topic}.',
];
const TITLES = [
  'A day in {place}',
  'With {person}',
  '{topic}',
  'How {feeling} I was',
  '{place} and {place}',
  'About {thing}',
];
const NOTES = ['Ask {person} about {thing}.', 'Look up {place}.', 'More about {topic} next time.'];

/** Generates what someone might say to a camera in the evening. */
export function createSpeechGenerator(random: () => number) {
  // As in real speech, a few items of each list come up often and most of them rarely.
  const pick = (words: string[]) => words[Math.floor(random() ** 2 * words.length)] ?? '';
  const place = () => {
    const name = pick(BEGINNINGS) + pick(ENDINGS);
    return name.charAt(0).toUpperCase() + name.slice(1);
  };
  const fillings: Record<string, () => string> = {
    person: () => pick(PEOPLE),
    place,
    thing: () => pick(THINGS),
    deed: () => pick(DEEDS),
    feeling: () => pick(FEELINGS),
    weather: () => pick(WEATHERS),
    time: () => pick(TIMES),
    topic: () => pick(TOPICS),
  };
  const fill = (pattern: string) => {
    const text = pattern.replace(/\{(\w+)\}/g, (_, name: string) => fillings[name]?.() ?? '');
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  return {
    title: () => fill(pick(TITLES)),
    note: () => fill(pick(NOTES)),
    /** Generates this many words, at 150 per minute, each with its start and end in seconds. */
    words(count: number): [word: string, start: number, end: number][] {
      const words: string[] = [];
      while (words.length < count) words.push(...fill(pick(SENTENCES)).split(' '));
      const at = (index: number) => Math.round(index * 400) / 1000;
      return words.slice(0, count).map((word, index) => [word, at(index), at(index + 0.85)]);
    },
  };
}
