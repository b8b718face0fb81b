import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { AddToProjectDialog } from './access-dialogs.tsx';

vi.mock('@tanstack/react-router', () => ({ useNavigate: () => () => undefined }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  [['local/packages'], 'local/packages'],
  [['local/packages', 'team/tools'], ''],
])('has the project of %s chosen where it is the only one', async (paths, chosen) => {
  const projects = paths.map((fullPath, index) => ({ id: index + 1, fullPath }));
  vi.stubGlobal('gatehouse', { call: () => Promise.resolve({ ok: true, value: projects }) });
  renderInWindow(<AddToProjectDialog user={{ id: 7, name: 'Ada' }} onClose={() => undefined} />);
  expect((await screen.findByRole<HTMLInputElement>('combobox', { name: 'Project' })).value).toBe(chosen);
});
