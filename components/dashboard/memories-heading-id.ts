/** Id of the heading above the memories, which takes the focus of a card that goes. */
export const MEMORIES_HEADING_ID = 'on-this-day';
