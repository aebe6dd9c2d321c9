/** A new tag's color, unless the user chooses another; fixed by the specification. */
export const DEFAULT_TAG_COLOR = '#FFFFFF';
