import { ModalsProvider } from '@mantine/modals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../api/query-client.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { TokenMark, TokensPanel } from './tokens-panel.tsx';

// The address has no part here.
vi.mock('@tanstack/react-router', () => ({
  useSearch: () => ({}),
  useNavigate: () => () => undefined,
  useBlocker: () => undefined,
}));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const root = { id: 1, name: 'Administrator', username: 'root', state: 'active' };

const served = ['http://localhost:4899', 'http://192.168.1.5:4899'];
const copyText = vi.fn((_text: string) => Promise.resolve());
const saveSettings = vi.fn((_change: unknown) => Promise.resolve({ ok: true, value: {} }));

async function openForm(
  users: readonly unknown[],
  {
    user = root,
    origins = served,
    fixedHost = null as string | null,
    packages = ['kettle'],
    upstreams = [] as unknown[],
  } = {},
): Promise<HTMLElement> {
  const values: Record<string, unknown> = {
    'upstream.list': { upstreams },
    'directory.tokens': [],
    'directory.users': users,
    'packages.list': { packages: packages.map((name, index) => ({ id: index, name, projectId: 2 })) },
    'directory.createToken': { token: { name: 'ci', user }, secret: 'glpat-secret' },
    'directory.projects': [
      { id: 1, fullPath: 'local/packages' },
      { id: 2, fullPath: 'team/tools' },
    ],
    'directory.userAccess': [{ container: { kind: 'project', id: 2, fullPath: 'team/tools' } }],
    'server.status': {
      origin: 'http://localhost:4899',
      origins,
      host: origins.length > 1 ? '0.0.0.0' : '127.0.0.1',
      defaultProject: { id: 1, fullPath: 'local/packages' },
    },
  };
  vi.stubGlobal('gatehouse', {
    call: (method: string) => Promise.resolve({ ok: true, value: values[method] ?? null }),
    app: {
      copyText,
      info: () => Promise.resolve({ fixedHost }),
      settings: () => Promise.resolve({ serveOthers: false }),
      saveSettings,
    },
  });
  renderInWindow(
    <ModalsProvider>
      <TokensPanel />
    </ModalsProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Create a token' }));
  const form = await screen.findByRole('dialog', { name: 'Create a token' });
  fireEvent.change(within(form).getByRole('textbox', { name: 'Name' }), { target: { value: 'ci' } });
  return form;
}

it('makes a token for a user that was chosen, and preselects no one of several', async () => {
  const form = await openForm([root, { ...root, id: 2, name: 'Ada', username: 'ada' }]);
  expect(within(form).getByRole<HTMLInputElement>('combobox', { name: 'User' }).value).toBe('');
  fireEvent.click(within(form).getByRole('button', { name: 'Create token' }));
  expect(await within(form).findByText('Choose a user.')).toBeTruthy();
  expect(document.activeElement).toBe(within(form).getByRole('combobox', { name: 'User' }));
});

it('hands the user of a new token the lines of its project, at an address that can be reached', async () => {
  const form = await openForm([root]);
  fireEvent.click(within(form).getByRole('checkbox', { name: 'api' }));
  fireEvent.click(within(form).getByRole('button', { name: 'Create token' }));
  const shown = await screen.findByRole('dialog', { name: 'The new token' });
  const lines = await within(shown).findByRole('group', { name: '~/.npmrc' });
  expect(lines.textContent).toBe(
    [
      'registry=http://localhost:4899/api/v4/projects/2/packages/npm/',
      '//localhost:4899/api/v4/projects/2/packages/npm/:_authToken=glpat-secret',
    ].join('\n'),
  );
  expect(within(shown).queryByText(/^Send these lines/)).toBeNull();
  // What its user needs is what Enter copies.
  const copyLines = within(shown).getByRole('button', { name: 'Copy the lines' });
  await waitFor(() => expect(document.activeElement).toBe(copyLines));
  fireEvent.click(within(shown).getByRole('combobox', { name: 'Address' }));
  fireEvent.click(await screen.findByRole('option', { name: 'http://192.168.1.5:4899' }));
  expect(lines.textContent).toContain('registry=http://192.168.1.5:4899/api/v4/projects/2/');
  // The lines hold the token, so it is not lost.
  expect(copyLines.dataset['variant']).toBe('filled');
  expect(within(shown).getByRole('button', { name: 'Copy the token' }).dataset['variant']).toBe('default');
  fireEvent.click(copyLines);
  expect(await within(shown).findByRole('button', { name: 'Done' })).toBeTruthy();
  expect(copyText).toHaveBeenLastCalledWith(lines.textContent);
  expect(copyLines.textContent).toBe('Copied');
  expect(copyLines.dataset['variant']).toBe('default');
  expect(within(shown).getByRole('button', { name: 'Copy the token' })).toBeTruthy();
});

const ada = { id: 2, name: 'Ada', username: 'ada', state: 'active' };

async function tokenOfAda(options: {
  origins?: string[];
  fixedHost?: string;
  packages?: string[];
  upstreams?: unknown[];
}): Promise<HTMLElement> {
  const form = await openForm([ada], { user: ada, ...options });
  fireEvent.click(within(form).getByRole('checkbox', { name: 'api' }));
  fireEvent.click(within(form).getByRole('button', { name: 'Create token' }));
  return screen.findByRole('dialog', { name: 'The new token' });
}

it('took all of npm of another user over for a project whose packages have one scope', async () => {
  const shown = await tokenOfAda({ packages: ['@acme/kettle', '@acme/boiler'] });
  const lines = await within(shown).findByRole('group', { name: '~/.npmrc' });
  expect(lines.textContent).toContain('@acme:registry=http://192.168.1.5:4899/api/v4/projects/2/');
  expect(within(shown).getByText(/^Send these lines to/).textContent).toBe('Send these lines to @ada, for ~/.npmrc.');
});

it('points npm here for each scope of the packages, and for nothing else', async () => {
  const shown = await tokenOfAda({ packages: ['@tools/boiler', '@acme/kettle', '@acme/boiler'] });
  const lines = await within(shown).findByRole('group', { name: '~/.npmrc' });
  expect(lines.textContent).toMatch(
    /^@acme:registry=(?<url>http:\/\/192\.168\.1\.5:4899\S*\/npm\/)\n@tools:registry=\k<url>\n\/\/192\.168\.1\.5:4899\S*:_authToken=\S+$/,
  );
  expect(within(shown).getByText(/^Send these lines to/).textContent).toBe('Send these lines to @ada, for ~/.npmrc.');
});

it.each([[['@acme/kettle', 'boiler']], [[]]])(
  'points npm here for all packages where some have no scope, or none is known: %j',
  async (packages) => {
    const shown = await tokenOfAda({ packages });
    const lines = await within(shown).findByRole('group', { name: '~/.npmrc' });
    expect(lines.textContent).toMatch(/^registry=/);
  },
);

it('hands another user lines that lead to the registry from other computers', async () => {
  const shown = await tokenOfAda({});
  const lines = await within(shown).findByRole('group', { name: '~/.npmrc' });
  expect(lines.textContent).toContain('registry=http://192.168.1.5:4899/api/v4/projects/2/');
  expect(lines.textContent).not.toContain('localhost');
  await waitFor(() =>
    expect(within(shown).getByText(/^Send these lines to/).textContent).toBe(
      'Send these lines to @ada, for ~/.npmrc. With them, no packages are found but those of this registry.',
    ),
  );
});

it('says of lines for every package where these come from if another registry is set up', async () => {
  const shown = await tokenOfAda({ upstreams: [{ id: 1, name: 'npm' }] });
  const sentence = await within(shown).findByText(/^Send these lines to/);
  expect(sentence.textContent).toBe(
    'Send these lines to @ada, for ~/.npmrc. With them, all packages come from this registry.',
  );
});

it('serves other computers without leaving the new token, which would be lost', async () => {
  const shown = await tokenOfAda({ origins: ['http://localhost:4899'] });
  const sentence = await within(shown).findByText(/^The registry can be reached from this computer only\./);
  await within(shown).findByText('Serve other computers');
  expect(within(shown).queryByText(/^Send these lines/)).toBeNull();
  fireEvent.click(within(shown).getByRole('switch'));
  expect(sentence.textContent).toContain('Other computers connect without encryption (HTTP).');
  await waitFor(() => expect(saveSettings).toHaveBeenCalledExactlyOnceWith({ serveOthers: true }));
});

it('offers to serve no other computers where the environment decides that', async () => {
  const shown = await tokenOfAda({ origins: ['http://localhost:4899'], fixedHost: '127.0.0.1' });
  const sentence = await within(shown).findByText(/^The registry can be reached from this computer only\./);
  await waitFor(() =>
    expect(sentence.textContent).toBe('The registry can be reached from this computer only. GATEHOUSE_HOST sets that.'),
  );
  expect(within(shown).queryByRole('switch')).toBeNull();
});

it('keeps a new token on screen until it was copied, whatever key is pressed', async () => {
  const form = await openForm([root]);
  // No scope is chosen at first: the largest would be chosen by mistake.
  fireEvent.click(within(form).getByRole('button', { name: 'Create token' }));
  expect(await within(form).findByText('Choose at least one scope.')).toBeTruthy();
  fireEvent.click(within(form).getByRole('checkbox', { name: 'read_package_registry' }));
  await waitFor(() => {
    fireEvent.click(within(form).getByRole('button', { name: 'Create token' }));
    expect(screen.getByText('glpat-secret')).toBeTruthy();
  });
  const shown = screen.getByRole('dialog', { name: 'The new token' });
  expect(shown.textContent).toContain('ci@root');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.getByText('glpat-secret')).toBeTruthy();
  expect(within(shown).queryByRole('button', { name: 'Close' })).toBeNull();
  fireEvent.click(within(shown).getByRole('button', { name: 'Copy the token' }));
  // The next step is the strong one, which stays last.
  expect((await within(shown).findByRole('button', { name: 'Done' })).dataset['variant']).not.toBe('default');
  expect(within(shown).getByRole('button', { name: 'Copied' }).dataset['variant']).toBe('default');
  expect(within(shown).getAllByRole('button').at(-1)?.textContent).toBe('Done');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByText('glpat-secret')).toBeNull());
});

it('finds the tokens of @anna alone, and both while the name is typed', async () => {
  const [anna, annabel] = ['anna', 'annabel'].map((username, id) => ({
    id,
    name: username,
    username,
    state: 'active',
  }));
  const token = { name: 'ci', hint: 'abcd', scopes: ['api'], state: 'active', expiresOn: null, lastUsedAt: null };
  const values: Record<string, unknown> = {
    'directory.tokens': [{ ...token, id: 5, user: annabel }],
    'directory.users': [anna, annabel],
  };
  vi.stubGlobal('gatehouse', { call: (method: string) => Promise.resolve({ ok: true, value: values[method] }) });
  renderInWindow(<TokensPanel />);
  await screen.findByRole('grid', { name: 'Tokens' });
  const search = (value: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value } });
  search('@Anna');
  expect(await screen.findByText('@anna has no tokens')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Create a token' }));
  const form = await screen.findByRole('dialog', { name: 'Create a token' });
  expect(within(form).getByRole<HTMLInputElement>('combobox', { name: 'User' }).value).toBe('anna (@anna)');
  fireEvent.click(within(form).getByRole('button', { name: 'Cancel' }));
  search('@annas');
  expect(await screen.findByText('No tokens match')).toBeTruthy();
  for (const found of ['@ann', '@annabel']) {
    search(found);
    await waitFor(() => expect(screen.queryByText(/No tokens match|has no tokens/)).toBeNull());
  }
});

it('marks the token of a blocked user, which is refused', () => {
  const token = { id: 1, name: 'ci', description: '', hint: 'abcd', scopes: ['api' as const], expiresOn: null };
  const user = { id: 2, name: 'Ann', username: 'ann', state: 'blocked' as const, isAdmin: false };
  const markOf = (state: 'active' | 'revoked') => {
    const { container } = renderInWindow(
      <TokenMark token={{ ...token, user, state, createdAt: 0, lastUsedAt: null, revokedAt: null }} />,
    );
    return container.querySelector('.gh-chip')?.textContent;
  };
  expect([markOf('active'), markOf('revoked')]).toEqual(['User blocked', 'Revoked']);
});

it('says when a token was used last as it is when the list is opened again', async () => {
  const token = { id: 5, name: 'ci', hint: 'abcd', scopes: ['api'], state: 'active', expiresOn: null, user: root };
  let lastUsedAt: number | null = null;
  vi.stubGlobal('gatehouse', {
    call: () => Promise.resolve({ ok: true, value: [{ ...token, lastUsedAt }] }),
  });
  const client = createQueryClient(() => undefined);
  const { unmount } = renderInWindow(<TokensPanel />, client);
  await waitFor(() => expect(client.getQueryCache().findAll()[0]?.state.data).toMatchObject([{ lastUsedAt: null }]));
  unmount();
  lastUsedAt = Date.now();
  renderInWindow(<TokensPanel />, client);
  await waitFor(() => expect(client.getQueryCache().findAll()[0]?.state.data).toMatchObject([{ lastUsedAt }]));
});
