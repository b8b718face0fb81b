import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { BackupContents } from './backup-contents.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const contents = { size: 2_000, createdAt: 1_750_000_000_000, gatehouse: '0.1.0', packages: 4, versions: 1_234 };

function show(reply: object) {
  const call = vi.fn(() => Promise.resolve(reply));
  vi.stubGlobal('gatehouse', {
    call,
    app: { onState: () => () => undefined, state: () => new Promise(() => undefined) },
  });
  renderInWindow(<BackupContents file="/backups/one.backup" onClose={() => undefined} />);
  return call;
}

it('says what is in a backup and what is not, and calls nothing that changes the registry', async () => {
  const call = show({ ok: true, value: contents });
  const dialog = await screen.findByRole('dialog', { name: 'Contents of the backup' });
  expect(dialog.textContent).toMatch(/Packages4Versions1,234, with their tarballs and tags/);
  expect(dialog.textContent).toContain('Users with passwords and tokens');
  expect(dialog.textContent).toContain('Not in itTokens for other registries');
  expect(call.mock.calls).toEqual([['maintenance.backupContents', { archive: '/backups/one.backup' }]]);
});

it('says why a backup cannot be read', async () => {
  show({ ok: false, error: { code: 'invalid_request', message: 'It ends too early.', details: {} } });
  const dialog = await screen.findByRole('dialog', { name: 'Contents of the backup' });
  expect(dialog.textContent).toContain('It ends too early.');
});
