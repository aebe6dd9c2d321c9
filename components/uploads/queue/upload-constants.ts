/** Where a page finds, without opening the database, whose uploads were interrupted. */
export const INTERRUPTED_UPLOADS_KEY = 'daylight-uploads-of';

/** Wakes what shows uploads on other pages than the studio's. */
export const UPLOAD_QUEUED_EVENT = 'daylight-uploads';
