import { BundleExport } from './bundle-export.tsx';
import { BundleImport } from './bundle-import.tsx';
import { TrustedKeys } from './trusted-keys.tsx';

/** Packages in one signed file, for places without any network. */
export function BundlesPanel() {
  return (
    <div className="gh-page-body gh-scroll" data-padded>
      <div className="gh-sections">
        <BundleExport />
        <BundleImport />
        <TrustedKeys />
      </div>
    </div>
  );
}
