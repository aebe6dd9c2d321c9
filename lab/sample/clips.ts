import type { Clip, VoicePart } from './clip';
import { DAD, robin } from './people';

/** LJ Speech: Linda Johnson reads William Morris. Public domain. */
const lj = (number: string, text: string): VoicePart => ({
  file: `lab/speech/clips/lj001-${number}.ogg`,
  text,
});

/** A LibriVox reading of Shakespeare. Public domain. */
const sonnet = (number: 1 | 2 | 3, from: number, until: number, text: string): VoicePart => ({
  file: `lab/speech/clips/sonnet-${number}.ogg`,
  text,
  from,
  until,
});

/** A LibriVox reading of Jane Austen. Public domain. */
const austen = (number: string, text: string): VoicePart => ({
  file: `test/media/librivox/sense-and-sensibility-${number}.flac`,
  text,
});

/** The clip that the site itself shows. */
export const SITE_CLIP = 'forty-winters';

/** Every clip, as it's made for the demo and the site. Their voices are recordings in the public domain that the tests and benchmarks use, too. */
export const CLIPS: Clip[] = [
  {
    id: SITE_CLIP,
    titles: ['A sonnet before bed', 'Forty winters', 'What the lamp saw', 'I still know it by heart'],
    tags: ['Reading', 'Evenings'],
    scene: { person: robin('green'), room: 'lamp' },
    voice: [
      sonnet(
        2,
        2.8,
        16.5,
        'When forty winters shall besiege thy brow, and dig deep trenches in thy beauty’s field, thy youth’s proud livery, so gazed on now, will be a tattered weed of small worth held.',
      ),
    ],
  },
  {
    id: 'fairest-creatures',
    titles: ['Learning the first sonnet', 'First light', 'Before coffee', 'The window seat'],
    tags: ['Reading', 'Mornings'],
    scene: { person: robin('green'), room: 'morning' },
    voice: [
      sonnet(
        1,
        2.45,
        14.8,
        'From fairest creatures we desire increase, that thereby beauty’s rose might never die, but as the riper should by time decease, his tender heir might bear his memory.',
      ),
    ],
  },
  {
    id: 'gaudy-spring',
    titles: ['Snow, and a poem about spring', 'First snow', 'A walk in the cold', 'The hat from Grandma'],
    tags: ['Reading', 'Outdoors'],
    months: [11, 12, 1, 2, 3],
    scene: { person: robin('green', 'cap'), room: 'snow' },
    voice: [
      sonnet(
        1,
        31.0,
        44.1,
        'Thou that art now the world’s fresh ornament, and only herald to the gaudy spring, within thine own bud buriest thy content, and, tender churl, mak’st waste in niggarding.',
      ),
    ],
  },
  {
    id: 'in-the-glass',
    titles: ['Look in the mirror', 'A new haircut', 'Packing, and a poem', 'Sunday, slowly'],
    tags: ['Reading', 'Evenings'],
    scene: { person: robin('plum', 'bun'), room: 'bedroom' },
    voice: [
      sonnet(
        3,
        2.8,
        16.5,
        'Look in thy glass, and tell the face thou viewest, now is the time that face should form another, whose fresh repair if now thou not renewest, thou dost beguile the world, unbless some mother.',
      ),
    ],
  },
  {
    id: 'lovely-april',
    titles: ['The lovely April', 'Like Mom at my age', 'Lunch in the garden', 'The first warm day'],
    tags: ['Family', 'Outdoors'],
    months: [4, 5, 6, 7, 8, 9],
    scene: { person: robin('yellow', 'bun'), room: 'garden' },
    voice: [
      sonnet(
        3,
        28.9,
        43.4,
        'Thou art thy mother’s glass, and she in thee calls back the lovely April of her prime. So thou through windows of thine age shalt see, despite of wrinkles, this thy golden time.',
      ),
    ],
  },
  {
    id: 'gutenberg',
    titles: [
      'Week nine at the print studio',
      'Gutenberg, briefly',
      'My first page of type',
      'Ink everywhere',
    ],
    tags: ['Print studio'],
    scene: { person: robin('blue', 'bun', true), room: 'studio' },
    voice: [
      lj(
        '0005',
        'The invention of movable metal letters in the middle of the fifteenth century may justly be considered as the invention of the art of printing.',
      ),
      lj('0006', 'And it is worth mention in passing that, as an example of fine typography,'),
      lj(
        '0007',
        'the earliest book printed with movable types, the Gutenberg, or forty-two line Bible of about fourteen fifty-five,',
      ),
      lj('0008', 'has never been surpassed.'),
    ],
  },
  {
    id: 'beautiful-letters',
    titles: [
      'Why letters should be beautiful',
      'Letters on the kitchen shelf',
      'Ugly letters cost as much',
      'The type drawer',
    ],
    tags: ['Print studio'],
    scene: { person: robin('red', 'bob', true), room: 'shelf' },
    voice: [
      lj(
        '0010',
        'Now, as all books not primarily intended as picture-books consist principally of types composed to form letterpress,',
      ),
      lj('0011', 'it is of the first importance that the letter used should be fine in form,'),
      lj(
        '0012',
        'especially as no more time is occupied, or cost incurred, in casting, setting, or printing beautiful letters',
      ),
      lj('0013', 'than in the same operations with ugly ones.'),
    ],
  },
  {
    id: 'craftsmen',
    titles: [
      'What the craftsmen knew',
      'Rain, and a long chapter',
      'A page that helps its letters',
      'Home early',
    ],
    tags: ['Print studio', 'Evenings'],
    scene: { person: robin('plum'), room: 'rain' },
    voice: [
      lj(
        '0014',
        'And it was a matter of course that in the Middle Ages, when the craftsmen took care that beautiful form should always be a part of their productions, whatever they were,',
      ),
      lj(
        '0015',
        'the forms of printed letters should be beautiful, and that their arrangement on the page should be reasonable, and a help to the shapeliness of the letters themselves.',
      ),
    ],
  },
  {
    id: 'calligraphy',
    titles: ['Handwriting came first', 'Practicing my g', 'Pens and ink', 'Breakfast with a book'],
    tags: ['Print studio', 'Mornings'],
    scene: { person: robin('yellow', 'bob', true), room: 'morning' },
    voice: [
      lj('0016', 'The Middle Ages brought calligraphy to perfection, and it was natural therefore'),
      lj(
        '0017',
        'that the forms of printed letters should follow more or less closely those of the written character, and they followed them very closely.',
      ),
    ],
  },
  {
    id: 'black-letter',
    titles: ['Late, reading about black letter', 'City lights', 'Can’t sleep', 'One more chapter'],
    tags: ['Print studio', 'Evenings'],
    scene: { person: robin('red'), room: 'night' },
    voice: [
      lj(
        '0021',
        'The earliest book printed with movable type, the aforesaid Gutenberg Bible, is printed in letters which are an exact imitation',
      ),
      lj(
        '0022',
        'of the more formal ecclesiastical writing which obtained at that time. This has since been called missal type.',
      ),
    ],
  },
  {
    id: 'near-rome',
    titles: ['Two printers near Rome', 'Planning a trip to Subiaco', 'Italy, maybe', 'Maps on the floor'],
    tags: ['Travel', 'Print studio'],
    scene: { person: robin('blue', 'bun'), room: 'lamp' },
    voice: [
      lj(
        '0030',
        'A very few years saw the birth of Roman character, not only in Italy, but in Germany and France.',
      ),
      lj(
        '0031',
        'In fourteen sixty-five Sweynheim and Pannartz began printing in the monastery of Subiaco near Rome,',
      ),
      lj(
        '0032',
        'and used an exceedingly beautiful type, which is indeed to look at a transition between Gothic and Roman.',
      ),
    ],
  },
  {
    id: 'dad-reads',
    titles: ['Dad reads Jane Austen', 'Dad visits', 'The best reader I know', 'Dad, on selfishness'],
    tags: ['Family', 'Reading'],
    scene: { person: DAD, room: 'shelf' },
    voice: [
      austen(
        '0870',
        'And Mister John Dashwood had then leisure to consider how much there might be prudently in his power to do for them.',
      ),
      austen('0880', 'He was not an ill-disposed young man,'),
      austen('0890', 'unless to be rather cold-hearted and rather selfish is to be ill-disposed.'),
    ],
  },
];

/** Returns the clip with this id. @throws Error if there's none */
export function clipOf(id: string): Clip {
  const clip = CLIPS.find((one) => one.id === id);
  if (!clip) throw new Error(`There's no sample clip "${id}".`);
  return clip;
}
