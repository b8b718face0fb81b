import { expect, it } from 'vitest';
import type { BundleReport } from '../../../../server/contract/bundles.ts';
import { entryColumns } from './bundle-columns.tsx';

const labelsFor = (...verdicts: BundleReport['entries'][number]['verdict'][]) =>
  entryColumns({
    applied: false,
    entries: verdicts.map((verdict, index) => ({
      name: '@acme/boiler',
      version: `1.0.${index}`,
      origin: 'local',
      size: 512,
      verdict,
      explanation: verdict === 'same' ? 'Already here.' : 'Goes to local/packages',
    })),
  }).map(({ label }) => label);

it('keeps no room for the details of a bundle whose versions are all here', () => {
  expect(labelsFor('same', 'same')).toEqual(['Status', 'Version', 'Size']);
  expect(labelsFor('same', 'new')).toEqual(['Status', 'Version', 'Details', 'Size']);
});
