import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { ConnectPage } from './connect-page.tsx';

const search: { project?: number } = {};
const navigate = vi.fn(() => Promise.resolve());
vi.mock('@tanstack/react-router', () => ({
  useSearch: () => search,
  useBlocker: () => undefined,
  useNavigate: () => navigate,
}));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  delete search.project;
  host = '127.0.0.1';
});

const project = { id: 1, fullPath: 'local/packages' };
const other = { id: 2, fullPath: 'team/tools' };
const root = { id: 1, name: 'Administrator', username: 'root', state: 'active' };

let host = '127.0.0.1';
function show(...origins: string[]) {
  const values: Record<string, unknown> = {
    'server.status': { host, origin: origins[0], origins, defaultProject: project, rootTokenFile: '/data/token' },
    'directory.projects': [project, other],
    'directory.users': [root],
    'connect.arrivals': [],
    'connect.selfTest': { running: false, steps: [] },
    'directory.createToken': { token: { name: 'laptop', user: root }, secret: 'glpat-secret' },
  };
  const call = (method: string) => Promise.resolve({ ok: true, value: values[method] ?? null });
  vi.stubGlobal('gatehouse', { call });
  renderInWindow(<ConnectPage />);
}

const lines = () => screen.getByRole('region', { name: 'Or paste the lines' }).textContent;

it('offers the other addresses of the registry for clients on other computers', async () => {
  show('http://localhost:4873', 'http://192.168.1.5:4873');
  fireEvent.click(await screen.findByRole('combobox', { name: 'Address' }));
  fireEvent.click(await screen.findByRole('option', { name: 'http://192.168.1.5:4873' }));
  expect(lines()).toContain('registry=http://192.168.1.5:4873/api/v4/projects/1/packages/npm/');
  expect(lines()).not.toContain('localhost');
});

it('does not ask for an address where there is one alone', async () => {
  show('http://localhost:4873');
  expect(await screen.findByRole('combobox', { name: 'Project' })).toBeTruthy();
  expect(screen.queryByRole('combobox', { name: 'Address' })).toBeNull();
  expect(lines()).toContain('registry=http://localhost:4873/');
});

it('shows the lines of the project that the address names', async () => {
  search.project = 2;
  show('http://localhost:4873');
  await screen.findByRole('combobox', { name: 'Project' });
  expect(lines()).toContain('registry=http://localhost:4873/api/v4/projects/2/packages/npm/');
});

it('names no command that asks another registry', async () => {
  show('http://localhost:4873');
  const next = async () => (await screen.findByText(/^No request since this page was opened/)).textContent;
  expect(await next()).toContain('npm ping');
  fireEvent.change(screen.getByRole('textbox', { name: 'Scope' }), { target: { value: '@acme' } });
  expect(await next()).toBe('No request since this page was opened. Install a package of @acme in the folder.');
  fireEvent.change(screen.getByRole('textbox', { name: 'Scope' }), { target: { value: '' } });
  fireEvent.click(screen.getByRole('radio', { name: 'Yarn' }));
  expect(await next()).not.toContain('npm ping');
});

it('says that other computers cannot connect where the registry listens on this one alone, and leads to the setting', async () => {
  show('http://localhost:4873');
  expect(await screen.findByText(/^The registry can be reached from this computer only/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Serve other computers…' }));
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ to: '/settings' });
  cleanup();
  show('http://localhost:4873', 'http://192.168.1.5:4873');
  await screen.findByRole('combobox', { name: 'Address' });
  expect(screen.queryByText(/^The registry can be reached from this computer only/)).toBeNull();
  cleanup();
  // It listens on every address, and has none in a network at the moment.
  host = '0.0.0.0';
  show('http://localhost:4873');
  await screen.findByRole('combobox', { name: 'Project' });
  expect(screen.queryByText(/^The registry can be reached from this computer only/)).toBeNull();
});

it('names whose token its command takes, and hands the user of a new one the lines that are shown', async () => {
  show('http://localhost:4873');
  const section = await screen.findByRole('region', { name: 'Set the token' });
  expect(section.textContent).toContain('the administrator’s token');
  expect(section.textContent).toContain("cat '/data/token'");
  fireEvent.change(screen.getByRole('textbox', { name: 'Scope' }), { target: { value: '@acme' } });
  fireEvent.click(screen.getByRole('radio', { name: 'Yarn' }));
  fireEvent.click(screen.getByRole('button', { name: 'Create a token' }));
  const form = await screen.findByRole('dialog', { name: 'Create a token' });
  fireEvent.change(within(form).getByRole('textbox', { name: 'Name' }), { target: { value: 'laptop' } });
  fireEvent.click(within(form).getByRole('checkbox', { name: 'api' }));
  fireEvent.click(within(form).getByRole('button', { name: 'Create token' }));
  const shown = await screen.findByRole('dialog', { name: 'The new token' });
  const given = within(shown).getByRole('group', { name: '~/.yarnrc.yml' }).textContent;
  expect(given).toContain('acme:');
  expect(given).toContain('npmAuthToken: "glpat-secret"');
});

it('creates a token beside the lines, and keeps what was typed', async () => {
  show('http://localhost:4873');
  const scope = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Scope' });
  fireEvent.change(scope, { target: { value: '@acme' } });
  fireEvent.click(screen.getByRole('button', { name: 'Create a token' }));
  const dialog = await screen.findByRole('dialog', { name: 'Create a token' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(scope.value).toBe('@acme');
});

it.each(['Connect…', 'Disconnect'])('says at the field that a folder is missing: %s', async (name) => {
  show('http://localhost:4873');
  const folder = await screen.findByRole('button', { name: /^Folder: / });
  fireEvent.click(screen.getByRole('button', { name }));
  expect(await screen.findByText('Choose a folder.')).toBeTruthy();
  expect(document.activeElement).toBe(folder);
});
