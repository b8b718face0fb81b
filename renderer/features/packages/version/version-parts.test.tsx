import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { PackageDetail, VersionDetail } from '../../../../server/contract/packages.ts';
import { renderInWindow } from '../../../test/render-in-window.tsx';
import { formatMoment } from '../../../ui/text/format.ts';
import { DistributionTab } from './distribution-tab.tsx';
import { VersionAside } from './version-aside.tsx';

// The link to Connect has no part here.
vi.mock('@tanstack/react-router', () => ({ Link: () => null }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const version: VersionDetail = {
  id: 1,
  version: '1.0.0',
  publishedAt: Date.UTC(2026, 10, 22, 10),
  publisher: 'ada',
  imported: false,
  deprecated: null,
  downloads: 12_345,
  size: 1_234_567,
  unpackedSize: 4_000_000,
  fileCount: 1_024,
  integrity: 'sha512-abc',
  shasum: 'abc',
  readme: '',
  license: 'MIT',
  engines: { node: '>=20' },
  fileName: 'gate-1.0.0.tgz',
  signature: { keyId: 'SHA256:key', value: 'MEUC' },
  provenance: {
    predicateType: 'https://slsa.dev/provenance/v1',
    builder: 'https://github.com/actions/runner',
    repository: 'https://github.com/acme/gate',
    ref: 'refs/heads/main',
    commit: 'c0ffee',
    workflow: '.github/workflows/release.yml',
  },
};

it('shows what the provenance states about the build, and that it is not verified', () => {
  renderInWindow(<DistributionTab version={version} />);
  const provenance = screen.getByRole('region', { name: 'Provenance' }).textContent;
  for (const fact of [
    'github.com/acme/gate',
    'c0ffee',
    'refs/heads/main',
    'release.yml',
    'actions/runner',
    'slsa.dev',
  ]) {
    expect(provenance).toContain(fact);
  }
  expect(provenance).toContain('does not verify');
  expect(screen.getByText('1,234,567 bytes')).toBeTruthy();
});

it('says of a version that came in a bundle that its publisher imported it, and published nothing', () => {
  const pack = { name: '@acme/gate', tags: [] } as unknown as PackageDetail;
  renderInWindow(<VersionAside pack={pack} version={{ ...version, imported: true }} />);
  const facts = screen.getByRole('region', { name: 'Facts' });
  const term = within(facts).getByText('Imported');
  expect(term.nextElementSibling?.textContent).toContain('by ada');
  expect(within(facts).queryByText('Published')).toBeNull();
});

it('shows downloads and files with separators, and when exactly it was published', () => {
  const pack = {
    name: '@acme/gate',
    tags: [{ tag: 'latest', version: '1.0.0', updatedAt: 0 }],
  } as unknown as PackageDetail;
  renderInWindow(<VersionAside pack={pack} version={version} />);
  const facts = screen.getByRole('region', { name: 'Facts' }).textContent;
  for (const fact of ['12,345', '1,024 files', 'node >=20', 'License', 'latest', formatMoment(version.publishedAt)]) {
    expect(facts).toContain(fact);
  }
});
