import { expect, it, vi } from 'vitest';

vi.mock('electron', () => ({ Menu: {} }));
const { contextMenuTemplate } = await import('./context-menu.ts');

const flags = { canUndo: false, canRedo: false, canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
const editFlags = { ...flags, canDelete: true, canEditRichly: false };
const roles = (params: { isEditable: boolean; selectionText: string }) =>
  contextMenuTemplate({ ...params, editFlags }).flatMap(({ role }) => role ?? []);

it('offers Copy and Paste in a field', () => {
  const fieldRoles = ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll'];
  expect(roles({ isEditable: true, selectionText: '' })).toEqual(fieldRoles);
  const undo = contextMenuTemplate({ isEditable: true, selectionText: '', editFlags })[0];
  expect(undo).toMatchObject({ role: 'undo', enabled: false });
});

it('offers Copy for selected text, and nothing where none is selected', () => {
  expect(roles({ isEditable: false, selectionText: 'sha512-abc' })).toEqual(['copy']);
  expect(roles({ isEditable: false, selectionText: ' ' })).toEqual([]);
});
