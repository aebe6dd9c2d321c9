/** What a check has found. */
export interface Finding {
  /** What's wrong and what to do, in sentences. */
  problems: string[];
  /** What else to know: nothing that keeps the app from working. */
  notes?: string[];
  /** What's right and worth a line, which only the doctor prints. */
  facts?: string[];
  /** What can't be checked from here, as a name, and why, in sentences. */
  skipped?: { name: string; why: string };
}

export const problem = (text: string): Finding => ({ problems: [text] });
export const note = (text: string): Finding => ({ problems: [], notes: [text] });
