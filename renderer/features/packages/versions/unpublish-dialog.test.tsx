import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { renderInWindow } from '../../../test/render-in-window.tsx';
import { UnpublishDialog } from './unpublish-dialog.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  ['says where latest moves', null, /latest moves from 1\.1\.0 to 1\.0\.0\./],
  [
    'warns that latest moves to a deprecated version',
    'Use 1.1.',
    /latest moves to 1\.0\.0, which is deprecated.*Use 1\.1\./,
  ],
])('%s', async (_, deprecated, words) => {
  const preview = { removedTags: [], latest: { from: '1.1.0', to: '1.0.0' } };
  const move = { kind: 'tag', projectId: 1, name: '@acme/ui', version: '1.0.0', tags: ['latest'] };
  vi.stubGlobal('gatehouse', {
    call: (method: string) => Promise.resolve({ ok: true, value: method === 'releases.list' ? [move] : preview }),
  });
  const versions = [
    { version: '1.1.0', deprecated: null },
    { version: '1.0.0', deprecated },
  ];
  const pack = { id: 1, projectId: 1, name: '@acme/ui', tags: [], versions } as unknown as PackageDetail;
  renderInWindow(<UnpublishDialog pack={pack} versions={['1.1.0']} onClose={() => undefined} />);
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toMatch(words));
  // Whether they do depends on other registries that have it.
  expect(screen.getByRole('dialog').textContent).toContain('Installs that need this version may fail.');
  expect(await screen.findByText('The request to move latest to 1.0.0 is closed as outdated.')).toBeTruthy();
  // The message is that of the version, and no advice of the dialog.
  expect(screen.getByRole('dialog').querySelector('q')?.textContent).toBe(deprecated ?? undefined);
});
