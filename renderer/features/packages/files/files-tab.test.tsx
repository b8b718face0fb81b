import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { renderInWindow } from '../../../test/render-in-window.tsx';
import { FilesTab } from './files-tab.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('says of a deprecated version that it is, and why', async () => {
  vi.stubGlobal('gatehouse', { call: () => Promise.resolve({ ok: true, value: { files: [] } }) });
  const versions = [
    { version: '1.1.0', deprecated: null },
    { version: '1.0.0', deprecated: 'Use 1.1 instead.' },
  ];
  const pack = { id: 1, name: '@acme/ui', latest: '1.1.0', versions } as unknown as PackageDetail;
  renderInWindow(<FilesTab pack={pack} />);
  expect(await screen.findByText('This version has no files.')).toBeTruthy();
  expect(screen.queryByText(/Deprecated/)).toBeNull();
  fireEvent.click(screen.getByRole('combobox', { name: 'Version' }));
  fireEvent.click(await screen.findByRole('option', { name: '1.0.0' }));
  expect(await screen.findByText('Deprecated: Use 1.1 instead.')).toBeTruthy();
});
