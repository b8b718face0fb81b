import { Link } from '@tanstack/react-router';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { BackLink } from '../../../ui/page/back-link.tsx';
import { TailText } from '../../../ui/text/tail-text.tsx';

/** The way back from a package to the list. */
export function BackToPackages() {
  return <BackLink renderRoot={(props) => <Link {...props} to="/packages" />}>Packages</BackLink>;
}

/** The way back from a version to its package. */
export function BackToPackage({ pack }: { pack: PackageDetail }) {
  return (
    <>
      <BackToPackages />
      <BackLink
        renderRoot={(props) => (
          <Link {...props} to="/packages/$packageId" params={{ packageId: pack.id }} search={{ tab: 'versions' }} />
        )}
      >
        <span className="gh-mono gh-row">
          <TailText text={pack.name} tail={20} />
        </span>
      </BackLink>
    </>
  );
}
