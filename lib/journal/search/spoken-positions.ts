import type { IndexTerm, Positions } from './terms';

const [ZERO, NINE, SPOKEN] = [48, 57, 67];

/**
 * Reads the positions of weight C, which only transcript words have, from a list such as `1C,5A` between two offsets.
 * Parses digit by digit, because a prefix can have ten thousand of them.
 */
function spokenAt(vector: string, from: number, until: number): number[] {
  const positions: number[] = [];
  let position = 0;
  for (let at = from; at < until; at += 1) {
    const code = vector.charCodeAt(at);
    if (code >= ZERO && code <= NINE) position = position * 10 + code - ZERO;
    else {
      if (code === SPOKEN) positions.push(position);
      position = 0;
    }
  }
  return positions;
}

/**
 * Returns where the searched words are spoken, read from a search vector as Postgres writes it (`'a1b2c3sea':4C,17C
 * 'a1b2c3sun':2A`), which is much faster than having Postgres unnest it.
 * @param shelf the prefix of every lexeme
 */
export function spokenPositions(vector: string, shelf: string, targets: IndexTerm[]): Positions {
  const found: Positions = new Map();
  const units = targets.flatMap(({ words }) => words.flat(2));
  const starts = new Set(
    units.flatMap(({ forms, begins }) => [...forms.map((form) => `${form}'`), begins ?? []].flat()),
  );
  for (const start of starts) {
    const sought = `'${shelf}${start}`;
    for (let at = vector.indexOf(sought); at >= 0; at = vector.indexOf(sought, at + 1)) {
      const end = vector.indexOf("'", at + 1);
      const until = vector.indexOf(' ', end);
      const lexeme = vector.slice(at + 1 + shelf.length, end);
      found.set(lexeme, spokenAt(vector, end + 2, until < 0 ? vector.length : until));
    }
  }
  return found;
}
