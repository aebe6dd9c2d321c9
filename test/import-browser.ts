import { vi } from 'vitest';
import * as plans from '@/lib/billing/plans/contract';
import { planDetails } from '@/lib/billing/plans/service';
import * as imports from '@/lib/portability/imports/archive/contract';
import {
  checkImport,
  importEntry,
  importJournal,
  importRevision,
} from '@/lib/portability/imports/archive/service';
import * as clips from '@/lib/portability/imports/clips/contract';
import { findVideos, importClip, listClips } from '@/lib/portability/imports/clips/service';
import * as history from '@/lib/portability/imports/history/contract';
import { createImport, listImports } from '@/lib/portability/imports/history/service';
import { undoImport } from '@/lib/portability/imports/history/undo';
import { abortUpload } from '@/lib/video/uploads/abandoned';
import { completeUpload } from '@/lib/video/uploads/complete';
import * as uploads from '@/lib/video/uploads/contract';
import { signParts, uploadState } from '@/lib/video/uploads/multipart';
import { type Operations, stubBrowser } from './browser';

/** The operations that an import calls, as their routes run them. */
const OPERATIONS: Operations = [
  [history.createImport, (userId, _, body) => createImport(userId, body)],
  [history.listImports, (userId) => listImports(userId)],
  [history.undoImport, (userId, id) => undoImport(userId, id)],
  [clips.importClip, (userId, id, body) => importClip(userId, id, body)],
  [clips.listClips, (userId, id) => listClips(userId, id)],
  [clips.findVideos, (userId, _, body) => findVideos(userId, body)],
  [imports.checkImport, (userId, _, body) => checkImport(userId, body)],
  [imports.importJournal, (userId, _, body) => importJournal(userId, body).then(() => ({}))],
  [imports.importEntry, (userId, _, body) => importEntry(userId, body)],
  [imports.importRevision, (userId, id, body) => importRevision(userId, id, body).then(() => ({}))],
  [plans.planDetails, (userId) => planDetails(userId)],
  [uploads.getUpload, (userId, id) => uploadState(userId, id)],
  [uploads.signParts, signParts],
  [uploads.completeUpload, completeUpload],
  [uploads.abortUpload, (userId, id) => abortUpload(userId, id).then(() => ({}))],
];

/** Opens a browser that imports. Undo with `vi.unstubAllGlobals`. */
export function openBrowser(userId: string) {
  const browser = stubBrowser(userId, OPERATIONS);
  return {
    browser,
    /** Opens a tab: code of its own, which shares storage and locks with the other tabs. A reload opens one, too. */
    async openTab() {
      vi.resetModules();
      const [session, state] = [
        await import('@/components/portability/imports/import-session'),
        await import('@/components/portability/imports/import-state'),
      ];
      return { ...session, ...state };
    },
  };
}
