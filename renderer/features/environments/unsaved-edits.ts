import { useSyncExternalStore } from 'react';
import type { ProtectionOwner } from '../../../server/contract/environments.ts';
import type { EditSession } from './edit-session.ts';

// Unsaved edits survive a visit to another screen, and hold the window.
let edits: ReadonlyMap<string, EditSession> = new Map();
const listeners = new Set<() => void>();

// `windows.ts` asks what a page that is closed or loaded again cannot ask.
addEventListener('beforeunload', (event) => {
  if (edits.size > 0) event.preventDefault();
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The name of an environment's edit, as `keepEdit` takes it; with an empty name, of one that is to be protected. */
export const editKeyOf = (owner: ProtectionOwner, environment: string): string =>
  'projectId' in owner ? `${owner.projectId}/${environment}` : `group ${owner.groupId}/${environment}`;

export function unsavedEdit(key: string): EditSession | undefined {
  return edits.get(key);
}

/** Keeps an edit until it is saved or discarded (undefined). */
export function keepEdit(key: string, edit: EditSession | undefined): void {
  if (edits.get(key) === edit) return;
  const next = new Map(edits);
  if (edit === undefined) next.delete(key);
  else next.set(key, edit);
  edits = next;
  for (const listener of listeners) listener();
}

/** All edits that are not saved, by their keys; to mark what they belong to. */
export function useUnsavedEdits(): ReadonlyMap<string, EditSession> {
  return useSyncExternalStore(subscribe, () => edits);
}
