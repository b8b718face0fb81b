import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { ContainerDialog, type ContainerValues } from './container-dialog.tsx';

afterEach(cleanup);
// A field of several lines measures itself again when fonts arrive.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

it.each([
  [
    'group',
    '-crew',
    'Letters, digits, _ - and . only, not starting with -.',
    'crew.git',
    'Not ending in ., .git or .atom.',
  ],
  [
    'project',
    'crew_',
    'Letters, digits, _ - and . only, with a letter or digit at both ends.',
    'crew.git',
    'Not ending in .git or .atom.',
  ],
] as const)('says at its field why a path of a %s is refused', async (kind, path, refusal, end, endRefusal) => {
  const onSubmit = vi.fn<(values: ContainerValues) => void>();
  renderInWindow(
    <ContainerDialog
      kind={kind}
      initial={undefined}
      parents={[{ id: 1, fullPath: 'local' }]}
      parent={undefined}
      busy={false}
      error={null}
      onClose={() => undefined}
      onSubmit={onSubmit}
    />,
  );
  const type = (name: string, value: string) =>
    fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
  const send = () => fireEvent.click(screen.getByRole('button', { name: `Add ${kind}` }));
  await screen.findByRole('textbox', { name: 'Name' });
  type('Name', 'Release crew');
  type('Path', path);
  send();
  expect(await screen.findByText(refusal)).toBeTruthy();
  type('Path', end);
  send();
  expect(await screen.findByText(endRefusal)).toBeTruthy();
  expect(onSubmit).not.toHaveBeenCalled();
  type('Path', 'release-crew');
  type('Name', 'Crew');
  send();
  expect(onSubmit).toHaveBeenCalledWith(expect.objectContaining({ name: 'Crew', path: 'crew' }));
});
