/** Where a page finds, without opening the database, whose uploads were interrupted. */
export const INTERRUPTED = 'daylight-uploads-of';

/** Wakes what shows uploads on other pages than the studio's. */
export const UPLOADS_EVENT = 'daylight-uploads';
