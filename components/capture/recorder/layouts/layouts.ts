import armed from './armed.module.css';
import question from './question.module.css';
import room from './room.module.css';
import sheet from './sheet.module.css';

/** The studio's one tree is laid out in three ways, each with the same class names. */
export type Layout = Readonly<Record<string, string>>;

/** Labels beside an icon, which only screen readers get where there's little space. */
const LABELS = {
  label: 'max-sm:sr-only [@media(max-height:500px)]:sr-only',
  questionLabel: 'max-[960px]:sr-only [@media(max-height:500px)]:sr-only',
};

export const LAYOUTS: Record<'armed' | 'room' | 'sheet', Layout> = {
  armed: { ...armed, ...question, ...LABELS },
  room: { ...room, label: 'max-sm:sr-only' },
  sheet,
};
