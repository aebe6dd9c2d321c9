import armed from './armed.module.css';
import room from './room.module.css';
import sheet from './sheet.module.css';

/** The studio's one tree is laid out in three ways, each with the same class names. */
export type Layout = Readonly<Record<string, string>>;

export const LAYOUTS = { armed, room, sheet } satisfies Record<string, Layout>;
