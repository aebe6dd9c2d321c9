/** A new tag's color, unless its person chooses another; fixed by the specification. */
export const DEFAULT_TAG_COLOR = '#FFFFFF';
