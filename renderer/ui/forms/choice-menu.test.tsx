import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { ChoiceMenu } from './choice-menu.tsx';

afterEach(cleanup);

it('opens for a press that came before its menu was loaded, and gives the choice', async () => {
  const choose = vi.fn<(choice: string) => void>();
  renderInWindow(
    <ChoiceMenu
      position="top-end"
      width={190}
      value="light"
      choices={[
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
      onChange={choose}
      button={<button type="button">Theme</button>}
    />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Theme' }));
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Dark' }));
  expect(choose.mock.calls).toEqual([['dark']]);
});
