import { MantineProvider, Menu } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { theme } from './theme.ts';

afterEach(cleanup);

it('marks one item of a menu: the focus goes where the pointer moves', async () => {
  render(
    <MantineProvider env="test" theme={theme}>
      <Menu opened>
        <Menu.Target>
          <button type="button">Actions</button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item>Test</Menu.Item>
          <Menu.Item>Remove</Menu.Item>
          <Menu.RadioGroup value="dark">
            <Menu.RadioItem value="dark">Dark</Menu.RadioItem>
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
    </MantineProvider>,
  );
  for (const item of [
    await screen.findByRole('menuitem', { name: 'Remove' }),
    screen.getByRole('menuitemradio', { name: 'Dark' }),
  ]) {
    fireEvent.mouseMove(item);
    expect(document.activeElement).toBe(item);
  }
});
